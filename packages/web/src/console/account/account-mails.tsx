import { useQuery } from '../api/use-query.ts';
import { MailStatus } from '../mails/mail-status.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';

/** The mails that were sent to one address. */
export function AccountMails({ email }: { email: string }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { cursor } = useFilters().values;
  const result = useQuery('GET /admin/mail', { query: { email, count: true, ...(cursor && { cursor }) } });
  return (
    <Loaded result={result}>
      {({ Items, NextCursor, Count, CountIsExact }) => (
        <>
          {Items.length === 0 ? (
            <Empty title={words('account.noMails')} />
          ) : (
            <DataTable
              caption={words('c.mails.title')}
              rows={Items}
              keyOf={({ Id }) => Id}
              hrefOf={({ Id }) => `/console/mails/${Id}`}
              isOld={result.isOld}
              columns={[
                {
                  key: 'kind',
                  head: words('account.mail.kind'),
                  cell: ({ Kind }) => wordsFor('mails.kind', Kind),
                },
                {
                  key: 'status',
                  head: words('account.mail.status'),
                  cell: ({ Status }) => <MailStatus status={Status} />,
                },
                { key: 'tries', head: words('account.mail.tries'), cell: ({ Tries }) => Tries, align: 'end' },
                {
                  key: 'created',
                  head: words('accounts.created'),
                  cell: ({ CreatedAt }) => <Time at={CreatedAt} />,
                },
              ]}
            />
          )}
          <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
        </>
      )}
    </Loaded>
  );
}
