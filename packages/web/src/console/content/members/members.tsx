import { useState } from 'preact/hooks';
import { AccountLink } from '../../accounts/account-link.tsx';
import { useEmails } from '../../accounts/use-emails.ts';
import { useQuery } from '../../api/use-query.ts';
import { useWords, useWordsFor } from '../../text.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { useFilters } from '../../ui/table/filters.ts';
import { Pager } from '../../ui/table/pager.tsx';
import { Empty, Loaded } from '../../ui/layout/state.tsx';
import styles from '../content.module.css';
import { RELATIONS, type Content, type Member } from '../content.ts';
import { memberColumns } from './member-columns.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

/** The accounts that own content, have access to it or are invited to it. */
export function Members({ content }: { content: Content }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { relation, cursor } = useFilters().values;
  const [leaving, setLeaving] = useState<Member>();
  const result = useQuery('GET /admin/content-definition/{id}/member', {
    path: { id: content.Id },
    // The address may contain any value: the API rejects the invalid ones.
    query: { relation, cursor, count: true } as object,
  });
  const emails = useEmails(result.data?.Items.map(({ By }) => By) ?? []);
  return (
    <div class={styles['part']}>
      <h2>{words('content.members')}</h2>
      <FilterBar
        filters={[
          {
            name: 'relation',
            label: words('content.relation'),
            options: RELATIONS.map((value) => ({ value, words: wordsFor('content.relation', value) })),
          },
        ]}
      />
      <Loaded result={result}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('content.noMembers')} />
            ) : (
              <DataTable
                caption={words('content.members')}
                columns={memberColumns({
                  words,
                  wordsFor,
                  by: (id) => <AccountLink id={id} emails={emails} />,
                  onTakeBack: setLeaving,
                })}
                rows={Items}
                keyOf={({ UserId, Relation }) => `${UserId} ${Relation}`}
                hrefOf={({ UserId }) => `/console/accounts/${UserId}`}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {leaving && (
        <RemoveMemberDialog content={content} member={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </div>
  );
}
