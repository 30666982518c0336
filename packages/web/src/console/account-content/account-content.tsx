import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { useQuery } from '../api/use-query.ts';
import { useEmails } from '../accounts/use-emails.ts';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import styles from './account-content.module.css';
import { contentColumns } from './content-columns.tsx';
import { GrantAccessDialog } from './grant-access-dialog.tsx';
import type { Item } from './item.ts';
import { RemoveAccessDialog } from './remove-access-dialog.tsx';

/** The content that an account owns, has access to or is invited to. */
export function AccountContent({ account }: { account: Account }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { cursor } = useFilters().values;
  const [isGiving, setGiving] = useState(false);
  const [taking, setTaking] = useState<Item>();
  const result = useQuery('GET /admin/account/{id}/content', {
    path: { id: account.Id },
    query: { count: true, ...(cursor && { cursor }) },
  });
  const emails = useEmails(result.data?.Items.map(({ By }) => By) ?? []);
  return (
    <>
      <div class={styles['head']}>
        <Button icon={<Icon name="plus" />} onClick={() => setGiving(true)}>
          {words('accountContent.give')}
        </Button>
      </div>
      <Loaded result={result}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('accountContent.none')} />
            ) : (
              <DataTable
                caption={words('c.content.title')}
                rows={Items}
                keyOf={({ ContentDefinitionId, Relation }) => `${ContentDefinitionId} ${Relation}`}
                hrefOf={({ ContentDefinitionId }) => `/console/content/${ContentDefinitionId}`}
                columns={contentColumns({ words, wordsFor, emails, onTake: setTaking })}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {isGiving && <GrantAccessDialog account={account} onClose={() => setGiving(false)} />}
      {taking && <RemoveAccessDialog account={account} item={taking} onClose={() => setTaking(undefined)} />}
    </>
  );
}
