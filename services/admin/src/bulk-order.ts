import { actorOf, type BulkOrder } from '@gatehouse/accounts';
import type { Input, Refuse } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import type { Deps } from './deps.ts';

/** The field that requests a dry run. */
export function dryRun() {
  return Type.Optional(
    Type.Boolean({ description: 'Return what the change would return, without making it' }),
  );
}

type Asked = Pick<
  Input<Deps, 'bearer', undefined, undefined, undefined>,
  'caller' | 'request' | 'isConfirmed'
> & { body: { DryRun?: boolean; Reason?: string }; refuse: Refuse<'conflict'> };

/**
 * Makes a bulk change of accounts, for example (`things`), or tries it out, and logs how many it has changed.
 *
 * @throws {ApiError} 409 if more than `max` match.
 */
export async function changeInBulk<O extends { kind: string }>(
  { body, caller, request, isConfirmed, refuse }: Asked,
  { max, things }: { max: number; things: string },
  change: (order: BulkOrder) => Promise<O>,
): Promise<Exclude<O, { kind: 'too_many' }>> {
  const isTrial = body.DryRun === true;
  const isUnproven = !(await isConfirmed());
  const order = { actor: actorOf(caller), origin: request, reason: body.Reason, isTrial, isUnproven };
  const outcome = await change(order);
  if (outcome.kind === 'too_many')
    throw refuse('conflict', `More than ${max} ${things} match; nothing was changed`);
  if ('count' in outcome) request.addToLog({ changed: isTrial ? 0 : outcome.count });
  // The kind tells a refusal from other outcomes, which TypeScript cannot conclude for a type parameter.
  return outcome as Exclude<O, { kind: 'too_many' }>;
}
