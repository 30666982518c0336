import {
  audit,
  inTransaction,
  mailAdmin,
  type mailSecrets,
  type Actor,
  type DeliveryStatus,
  type MailRecord,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';

/**
 * The result of a retry. All results except `queued` are refusals: the mail is not parked, or what it is about is gone.
 */
export type RetriedMail =
  | { kind: 'queued'; mail: MailRecord }
  | { kind: 'not_parked'; status: Exclude<DeliveryStatus, 'Parked'> }
  | { kind: 'dead'; secret: mailSecrets.MailSecret };

/** Sends a parked mail again, with all its tries; `undefined` if there is no mail with that id. */
export async function retryMail(
  deps: Pick<AccountsDeps, 'db'>,
  id: string,
  actor: Actor,
  origin: Origin,
): Promise<RetriedMail | undefined> {
  return await inTransaction(deps.db, origin, async (tx): Promise<RetriedMail | undefined> => {
    // Of two concurrent calls, the second waits here and then finds the mail no longer parked.
    const found = await mailAdmin.lock(tx, id);
    if (found === undefined) return undefined;
    const { kind, accountId, status } = found;
    if (status !== 'Parked') return { kind: 'not_parked', status };
    // The mail worker would not send it either; this way the administrator is told at once.
    const dead = await mailAdmin.findInvalidSecret(tx, found);
    if (dead !== undefined) return { kind: 'dead', secret: dead };
    await mailAdmin.retry(tx, [id]);
    const details = { Kind: kind, UserId: accountId };
    await audit.append(
      tx,
      [{ action: 'mail.retried', actor, target: { kind: 'Mail', id }, details }],
      origin,
    );
    const mail = await mailAdmin.findById(tx, id);
    return mail && { kind: 'queued', mail };
  });
}
