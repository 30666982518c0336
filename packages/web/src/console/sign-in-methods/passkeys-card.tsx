import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { OwnFactors } from './own-factors.tsx';
import { RemovePasskeyDialog, type Passkey } from './remove-passkey-dialog.tsx';

/** The passkeys that can sign in to this account, oldest first. */
export function PasskeysCard({ account }: { account: Account }) {
  const words = useWords();
  const isOwn = useConsole().me.Account.Id === account.Id;
  const [removing, setRemoving] = useState<Passkey>();
  const result = useQuery('GET /admin/account/{id}/passkey', { path: { id: account.Id } });
  return (
    <Card title={words('methods.passkeys')}>
      <Loaded result={result} lines={2}>
        {({ Items }) =>
          Items.length === 0 ? (
            <p class="quiet">{words('methods.passkeys.none')}</p>
          ) : (
            <DataTable
              caption={words('methods.passkeys.table')}
              rows={Items}
              keyOf={({ Id }) => Id}
              columns={[
                { head: words('methods.passkey.name'), cell: ({ Name }) => Name },
                {
                  head: words('methods.passkey.kind'),
                  cell: ({ IsBackedUp }) =>
                    words(IsBackedUp ? 'methods.passkey.synced' : 'methods.passkey.oneDevice'),
                },
                {
                  head: words('methods.passkey.created'),
                  cell: ({ CreatedAt }) => <Time at={CreatedAt} />,
                },
                {
                  head: words('methods.passkey.used'),
                  cell: ({ LastUsedAt }) => <Time at={LastUsedAt} />,
                },
                {
                  head: words('methods.do'),
                  align: 'end',
                  cell: (passkey) =>
                    isOwn ? (
                      <OwnFactors />
                    ) : (
                      <Button onClick={() => setRemoving(passkey)}>{words('methods.passkey.remove')}</Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {removing && (
        <RemovePasskeyDialog account={account} passkey={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Card>
  );
}
