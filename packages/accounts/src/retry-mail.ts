import {
  audit,
  inTransaction,
  mailAdmin,
  mailDeliveries,
  type Actor,
  type DeliveryStatus,
  type Executor,
  type MailRecord,
} from '@gatehouse/db';
import type { AnyEvent, MailContent } from '@gatehouse/events';
import type { AccountsDeps, Origin } from './deps.ts';

/** What became of a retry; all but the mail are refusals: it is not parked, or what it is about is dead. */
export type RetriedMail =
  { mail: MailRecord } | { status: Exclude<DeliveryStatus, 'Parked'> } | { dead: 'code' | 'invitation' };

/** Has a parked mail sent again, its tries begun anew; `undefined` when there is no mail of that id. */
export async function retryMail(
  deps: AccountsDeps,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<RetriedMail | undefined> {
  const outcome = await inTransaction(deps.db, origin, async (tx): Promise<RetriedMail | undefined> => {
    // Two administrators take turns here, and the second finds it parked no longer.
    const found = await mailAdmin.lock(tx, id);
    if (found === undefined) return undefined;
    const { kind, accountId, status, event } = found;
    if (status !== 'Parked') return { status };
    const dead = await findDeadSecret(deps, tx, accountId, event);
    if (dead !== undefined) return { dead };
    await mailAdmin.retry(tx, id);
    const details = { Kind: kind, UserId: accountId };
    await audit.append(
      tx,
      [{ action: 'mail.retried', actor, target: { kind: 'Mail', id }, details }],
      origin,
    );
    const mail = await mailAdmin.findById(tx, id);
    return mail && { mail };
  });
  deps.relay.wake();
  return outcome;
}

/** The mail worker would not send it either: here its administrator learns so at once. */
async function findDeadSecret(
  deps: AccountsDeps,
  tx: Executor,
  accountId: string,
  event: AnyEvent,
): Promise<'code' | 'invitation' | undefined> {
  const sealed = 'Mail' in event.data ? event.data.Mail : undefined;
  const content = sealed === undefined ? undefined : deps.seal.open(event.id, sealed);
  // What cannot be opened is the worker's to judge: its key may be back by then.
  if (typeof content !== 'object' || content === null) return undefined;
  // Sealed by `newMailEvent`, whose types hold the content to its kind.
  return mailDeliveries.findDeadSecret(tx, { id: event.id, accountId, content: content as MailContent });
}
