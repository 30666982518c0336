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
  const [row] = await query<{ lives: boolean }>(
    db,
    `select ${codeLives('cast(:accountId as uuid)', 'cast(:codeId as uuid)')} as lives`,
    { accountId, codeId },
  );
  return row?.lives === true;
}

/** The same as a condition of SQL, about these expressions. */
export function codeLives(accountId: string, codeId: string): string {
  return `exists (
     select 1
     from (
       select id, account_id, tries_left, expires_at from account_code
       union all
       select id, account_id, tries_left, expires_at from earlier_verify_code
     ) code
     where code.account_id = ${accountId}
       and code.id = ${codeId}
       and code.tries_left > 0
       and code.expires_at > now())`;
}
