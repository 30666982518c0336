import type { Db } from '../postgres/connect.ts';
import { claimDue, type DueMail } from '../mail/mail-deliveries.ts';

/** Claims a mail that is due, like a mail worker; `undefined` if it is not due. */
export async function claimMail(db: Db, id: string, holdSeconds = 15): Promise<DueMail | undefined> {
  const mails = await claimDue(db, { limit: 1000, holdSeconds, takesOver: true, own: [] });
  return mails.find((mail) => mail.id === id);
}
