import { useState } from 'preact/hooks';
import { AccountLink } from '../accounts/account-link.tsx';
import { useEmails } from '../accounts/use-emails.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, type Words } from '../text.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { FilterBar, type Filter } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Pager } from '../ui/table/pager.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { DeleteDialog, ResendDialog } from './action-dialogs.tsx';
import { invitationColumns } from './invitation-columns.tsx';
import { filterOf, type Invitation } from './invitation.ts';

type Open =
  { kind: 'resend' | 'delete'; invitation: Invitation } | { kind: 'bulk'; change: 'resend' | 'delete' };

/** The list of pending invitations. */
export function InvitationsScreen() {
  const words = useWords();
  const { values } = useFilters();
  const { id, email, contentDefinitionId, invitedBy, isExpired, cursor } = values;
  const [open, setOpen] = useState<Open>();
  const result = useQuery('GET /admin/invitation', {
    // The address may contain any value: the API rejects the invalid ones.
    query: { id, email, contentDefinitionId, invitedBy, isExpired, cursor, count: true } as object,
  });
  const emails = useEmails(result.data?.Items.map(({ InvitedBy }) => InvitedBy) ?? []);
  const filter = filterOf(values);
  const close = (): void => setOpen(undefined);
  return (
    <ScreenPage
      title={words('c.invitations.title')}
      wide
      actions={<BulkMenu onChoose={(change) => setOpen({ kind: 'bulk', change })} />}
    >
      <FilterBar filters={filtersOf(words)} />
      <Loaded result={result} lines={10}>
        {({ Items, NextCursor, Count, CountIsExact }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words(filter ? 'invitations.noMatch' : 'invitations.none')} next={NextCursor}>
                {!filter && <a href="/console/content">{words('invitations.none.lead')}</a>}
              </Empty>
            ) : (
              <DataTable
                caption={words('c.invitations.title')}
                columns={invitationColumns({
                  words,
                  by: (by) =>
                    by === null ? words('invitations.byToken') : <AccountLink id={by} emails={emails} />,
                  onResend: (invitation) => setOpen({ kind: 'resend', invitation }),
                  onDelete: (invitation) => setOpen({ kind: 'delete', invitation }),
                })}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ UserId }) => `/console/accounts/${UserId}`}
                isOld={result.isOld}
              />
            )}
            <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
          </>
        )}
      </Loaded>
      {open?.kind === 'resend' && <ResendDialog invitation={open.invitation} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDialog invitation={open.invitation} onClose={close} />}
      {open?.kind === 'bulk' && <BulkDialog filter={filter} change={open.change} onClose={close} />}
    </ScreenPage>
  );
}

/** The bulk changes of all listed invitations. */
function BulkMenu({ onChoose }: { onChoose: (change: 'resend' | 'delete') => void }) {
  const words = useWords();
  return (
    <Menu label={words('invitations.bulk')} labelled>
      <MenuItem onClick={() => onChoose('resend')}>{words('invitations.bulk.resend')}</MenuItem>
      <MenuItem danger onClick={() => onChoose('delete')}>
        {words('invitations.bulk.delete')}
      </MenuItem>
    </Menu>
  );
}

function filtersOf(words: Words): Filter[] {
  return [
    { name: 'email', label: words('invitations.email'), type: 'search' },
    {
      name: 'isExpired',
      label: words('invitations.link'),
      options: [
        { value: 'false', words: words('invitations.link.alive') },
        { value: 'true', words: words('invitations.link.expired') },
      ],
    },
    { name: 'contentDefinitionId', label: words('invitations.contentId'), isRare: true },
    { name: 'invitedBy', label: words('invitations.byId'), isRare: true },
    { name: 'id', label: words('invitations.id'), isRare: true },
  ];
}
