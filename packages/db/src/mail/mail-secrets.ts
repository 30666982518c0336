import type { MailContent } from '@gatehouse/events';
import { query, type Executor } from '../postgres/connect.ts';
import { isLinkAlive } from '../invitation/invitations.ts';

/** The code or link of a mail that no longer works, by the database’s clock; the mail must not be sent then. */
export async function findDeadSecret(
  db: Executor,
  mail: { id: string; accountId: string; content: MailContent },
): Promise<'code' | 'invitation' | undefined> {
  const { id, accountId, content } = mail;
  if ('CodeId' in content && !(await isCodeAlive(db, accountId, content.CodeId))) return 'code';
  if ('InvitationToken' in content && !(await isLinkAlive(db, id))) return 'invitation';
  return undefined;
}

/** Whether a code still works, by the database’s clock: not used, voided, out of tries or expired. */
export async function isCodeAlive(db: Executor, accountId: string, codeId: string): Promise<boolean> {
  const rows = await query(
    db,
    `select 1
     from (
       select id, account_id, tries_left, expires_at from account_code
       union all
       select id, account_id, tries_left, expires_at from earlier_verify_code
     ) code
     where account_id = :accountId
       and id = :codeId
       and tries_left > 0
       and expires_at > now()`,
    { accountId, codeId },
  );
  return rows.length > 0;
}
