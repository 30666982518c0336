import {
  audit,
  inTransaction,
  mailAdmin,
  type Actor,
  type DeliveryStatus,
  type MailRecord,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';

/** The result of a retry. All outcomes but the mail itself are refusals: it is not parked, or its subject is gone. */
export type RetriedMail =
  | { kind: 'queued'; mail: MailRecord }
  | { kind: 'not_parked'; status: Exclude<DeliveryStatus, 'Parked'> }
  | { kind: 'dead'; secret: 'code' | 'invitation' };

/** Has a parked mail sent again, its tries started over; `undefined` when there is no mail of that id. */
export async function retryMail(
  deps: Pick<AccountsDeps, 'db' | 'relay'>,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<RetriedMail | undefined> {
  const outcome = await inTransaction(deps.db, origin, async (tx): Promise<RetriedMail | undefined> => {
    // Two administrators take turns here, and the second finds it parked no longer.
    const found = await mailAdmin.lock(tx, id);
    if (found === undefined) return undefined;
    const { kind, accountId, status } = found;
    if (status !== 'Parked') return { kind: 'not_parked', status };
    // The mail worker would not send it either; here the administrator sees that at once.
    const dead = await mailAdmin.findDeadSecret(tx, found);
    if (dead !== undefined) return { kind: 'dead', secret: dead };
    await mailAdmin.retry(tx, id);
    const details = { Kind: kind, UserId: accountId };
    await audit.append(
      tx,
      [{ action: 'mail.retried', actor, target: { kind: 'Mail', id }, details }],
      origin,
    );
    const mail = await mailAdmin.findById(tx, id);
    return mail && { kind: 'queued', mail };
  });
  deps.relay.wake();
  return outcome;
}
