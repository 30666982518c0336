import { hashLongSecret } from '@gatehouse/runtime';
import type { MailContent } from '@gatehouse/events';
import type { Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';
import { isLinkAlive } from '../guest/invitations.ts';

export type MailSecret = 'code' | 'invitation' | 'restore link' | 'take-back link';

/** Which secret of a mail no longer works, by the database’s clock; such a mail must not be sent. */
export async function findInvalidSecret(
  db: Executor,
  mail: { id: string; accountId: string; content: MailContent },
): Promise<MailSecret | undefined> {
  const { id, accountId, content } = mail;
  if ('CodeId' in content && !(await isCodeAlive(db, accountId, content.CodeId))) return 'code';
  if ('InvitationToken' in content && !(await isLinkAlive(db, id))) return 'invitation';
  if ('RestoreCode' in content && content.RestoreCode !== undefined) {
    if (!(await isRestoreLinkAlive(db, hashLongSecret(content.RestoreCode), accountId)))
      return 'restore link';
  }
  if (
    'TakeBack' in content &&
    !(await isTakeBackLinkAlive(db, hashLongSecret(content.TakeBack.Code), accountId))
  )
    return 'take-back link';
  return undefined;
}

/** Whether the link still cancels it: not if cancelled, begun, or ordered by an administrator. */
const isRestoreLinkAlive = statement.any<[restoreHash: Buffer, accountId: string]>(
  'select 1 from erasure where restore_hash = ? and account_id = ? and counts is null',
);

/** Whether the link still takes back the change of email: not used, and not expired by the database’s clock. */
const isTakeBackLinkAlive = statement.any<[tokenHash: Buffer, accountId: string]>(
  'select 1 from email_change where token_hash = ? and account_id = ? and expires_at > now()',
);

/**
 * An SQL condition: the mail in this row of `mail_delivery` has a link that cancels an erasure, and the link is invalid. The
 * link itself is sealed, so the erasure is found by its time in the event, which JavaScript has rounded.
 */
export function isRestoreLinkInvalid(mail: string): string {
  return `${mail}.kind = 'erasure-scheduled'
     and ${mail}.event #>> '{data,ChangedBy}' = ${mail}.event #>> '{data,UserId}'
     and not exists (
       select 1
       from erasure e
       where e.account_id = ${mail}.account_id
         and e.restore_hash is not null
         and e.counts is null
         and abs(extract(epoch from e.erases_at - cast(${mail}.event #>> '{data,ErasesAt}' as timestamptz))) < 0.002)`;
}

/** Whether a code still works, by the database’s clock: not used, invalidated, out of tries or expired. */
export const isCodeAlive = statement.onlyValue<boolean, [accountId: string, codeId: string]>(
  `select ${isCodeAliveSql('cast(? as uuid)', 'cast(? as uuid)')} as lives`,
);

export function isCodeAliveSql(accountId: string, codeId: string): string {
  return `exists (
     select 1
     from (
       select id, account_id, tries_left, expires_at from account_code
       union all
       select id, account_id, tries_left, expires_at from earlier_verify_code
       union all
       select id, account_id, tries_left, expires_at from login_code
     ) code
     where code.account_id = ${accountId}
       and code.id = ${codeId}
       and code.tries_left > 0
       and code.expires_at > now())`;
}
