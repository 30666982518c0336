import { useQuery } from '../api/use-query.ts';
import { TokenState } from '../tokens/tokens.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';

/** The API tokens that an account's owner has created, newest first. */
export function StaticTokensCard({ id }: { id: string }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const result = useQuery('GET /admin/api-token', { query: { createdBy: id, count: true } });
  return (
    <Card title={words('methods.tokens')}>
      <Loaded result={result} lines={2}>
        {({ Items, NextCursor }) => (
          <>
            {Items.length === 0 ? (
              <p class="quiet">{words('methods.tokens.none')}</p>
            ) : (
              <DataTable
                caption={words('methods.tokens.table')}
                rows={Items}
                keyOf={({ Id }) => Id}
                columns={[
                  {
                    head: words('tokens.name'),
                    cell: ({ Id, Name }) => <a href={`/console/tokens/${Id}`}>{Name}</a>,
                  },
                  {
                    head: words('tokens.state'),
                    cell: (token) => <TokenState token={token} />,
                  },
                  { head: words('tokens.role'), cell: ({ Role }) => wordsFor('role', Role) },
                  {
                    head: words('tokens.used'),
                    cell: ({ LastUsedAt }) => <Time at={LastUsedAt} />,
                  },
                  {
                    head: words('tokens.expires'),
                    cell: ({ ExpiresAt }) => <Time at={ExpiresAt} />,
                  },
                ]}
              />
            )}
            {(NextCursor ?? Items[0]) && <a href="/console/tokens">{words('methods.tokens.all')}</a>}
          </>
        )}
      </Loaded>
    </Card>
  );
}
