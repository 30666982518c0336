import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { useEmails } from '../accounts/use-emails.ts';
import { useWords, useWordsFor } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { columnsOf } from './token-columns.tsx';
import type { ApiToken } from './token-state.tsx';

type Open = { kind: 'create' } | { kind: 'rotate' | 'revoke'; token: ApiToken };

/** The list of static API tokens, with which other services call this API. */
export function TokensScreen() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { values } = useFilters();
  const [open, setOpen] = useState<Open>();
  const { cursor } = values;
  const result = useQuery('GET /admin/api-token', { query: { count: true, ...(cursor && { cursor }) } });
  const emails = useEmails(result.data?.Items.map(({ CreatedBy }) => CreatedBy) ?? []);
  const close = (): void => setOpen(undefined);
  const create = (
    <Button kind="primary" icon={<Icon name="plus" />} onClick={() => setOpen({ kind: 'create' })}>
      {words('tokens.create')}
    </Button>
  );
  return (
    <ScreenPage title={words('c.tokens.title')} wide actions={create}>
      <Loaded result={result}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('tokens.none')} />
            ) : (
              <DataTable
                caption={words('c.tokens.title')}
                columns={columnsOf({
                  words,
                  wordsFor,
                  emails,
                  onRotate: (token) => setOpen({ kind: 'rotate', token }),
                  onRevoke: (token) => setOpen({ kind: 'revoke', token }),
                })}
                rows={Items}
                keyOf={({ Id }) => Id}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {open?.kind === 'create' && <CreateDialog onClose={close} />}
      {open?.kind === 'rotate' && <RotateDialog token={open.token} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeDialog token={open.token} onClose={close} />}
    </ScreenPage>
  );
}
