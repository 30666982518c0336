import { List } from '../list/list.tsx';
import { MailStatus } from '../mails/mail-status.tsx';
import { Time } from '../ui/time.tsx';

/** The mails that were sent to one address. */
export function AccountMails({ email }: { email: string }) {
  return (
    <List
      operation="GET /admin/mail"
      query={{ email, count: true }}
      caption="c.mails.title"
      none="account.noMails"
      hrefOf={({ Id }) => `/console/mails/${Id}`}
      columns={({ words, wordsFor }) => [
        { head: words('account.mail.kind'), cell: ({ Kind }) => wordsFor('mails.kind', Kind) },
        { head: words('account.mail.status'), cell: ({ Status }) => <MailStatus status={Status} /> },
        { head: words('account.mail.tries'), cell: ({ Tries }) => Tries, align: 'end' },
        { head: words('accounts.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
      ]}
    />
  );
}
