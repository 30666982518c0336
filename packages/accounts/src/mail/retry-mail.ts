import {
  inTransaction,
  mailAdmin,
  type Actor,
  type DeliveryStatus,
  type mailSecrets,
  type MailRecord,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import { retryLocked } from './retry-mails.ts';

/**
 * The result of a retry. All results except `queued` are refusals: the mail is not parked, or what it is about is gone.
 */
export type RetriedMail =
  | { kind: 'queued'; mail: MailRecord }
  | { kind: 'not_parked'; status: DeliveryStatus }
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
    const [parked] = await mailAdmin.findParked(tx, { id }, { max: 1, locks: true });
    // The mail worker would not send it either; this way the administrator is told at once.
    if (parked !== undefined && parked.invalid !== null) return { kind: 'dead', secret: parked.invalid };
    if (parked !== undefined) await retryLocked(tx, [parked], { actor, origin });
    const mail = await mailAdmin.findById(tx, id);
    if (mail === undefined || parked !== undefined) return mail && { kind: 'queued', mail };
    return { kind: 'not_parked', status: mail.status };
  });
}
