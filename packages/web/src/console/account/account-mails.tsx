import type { Answer } from '../api/ask.ts';
import { useAsk } from '../api/use-ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty, Loaded } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';

type Status = Answer<'GET /admin/mail'>['Items'][number]['Status'];

const MEANINGS: Record<Status, Meaning> = {
  Pending: 'neutral',
  Sent: 'success',
  Retrying: 'warning',
  Parked: 'danger',
};

/** The mails that went to one address. */
export function AccountMails({ email }: { email: string }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const asked = useAsk('GET /admin/mail', { query: { email } });
  return (
    <Loaded asked={asked}>
      {({ Items }) =>
        Items.length === 0 ? (
          <Empty title={words('account.noMails')} />
        ) : (
          <DataTable
            caption={words('c.mails.title')}
            rows={Items}
            keyOf={({ Id }) => Id}
            hrefOf={({ Id }) => `/console/mails/${Id}`}
            isOld={asked.isOld}
            columns={[
              {
                key: 'kind',
                head: words('account.mail.kind'),
                cell: ({ Kind }) => wordsFor('mails.kind', Kind),
              },
              {
                key: 'status',
                head: words('account.mail.status'),
                cell: ({ Status }) => (
                  <Badge meaning={MEANINGS[Status]}>{wordsFor('mails.status', Status)}</Badge>
                ),
              },
              { key: 'tries', head: words('account.mail.tries'), cell: ({ Tries }) => Tries, align: 'end' },
              {
                key: 'created',
                head: words('accounts.created'),
                cell: ({ CreatedAt }) => <Time at={CreatedAt} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}
