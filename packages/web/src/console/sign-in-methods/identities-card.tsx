import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { UnlinkDialog, type Identity } from './unlink-dialog.tsx';

/** The identities at identity providers that can sign in to this account. */
export function IdentitiesCard({ account }: { account: Account }) {
  const words = useWords();
  const [unlinking, setUnlinking] = useState<Identity>();
  const result = useQuery('GET /admin/account/{id}/identity', { path: { id: account.Id } });
  return (
    <Card title={words('methods.identities')}>
      <Loaded result={result} lines={2}>
        {({ Items }) =>
          Items.length === 0 ? (
            <p class="quiet">{words('methods.identities.none')}</p>
          ) : (
            <DataTable
              caption={words('methods.identities.table')}
              rows={Items}
              keyOf={({ Number }) => String(Number)}
              columns={[
                {
                  head: words('methods.provider'),
                  cell: ({ Provider }) =>
                    Provider ?? <span class="quiet">{words('methods.provider.gone')}</span>,
                },
                { head: words('methods.issuer'), cell: ({ Issuer }) => Issuer },
                {
                  head: words('methods.subject'),
                  cell: ({ Subject }) => <Copy value={Subject} label={words('methods.subject')} />,
                },
                {
                  head: words('methods.linked'),
                  cell: ({ LinkedAt }) => <Time at={LinkedAt} />,
                },
                {
                  head: words('methods.do'),
                  align: 'end',
                  cell: (identity) => (
                    <Button onClick={() => setUnlinking(identity)}>{words('methods.unlink')}</Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {unlinking && (
        <UnlinkDialog account={account} identity={unlinking} onClose={() => setUnlinking(undefined)} />
      )}
    </Card>
  );
}
