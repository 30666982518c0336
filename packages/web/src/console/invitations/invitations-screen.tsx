import { AccountLink } from '../accounts/account-link.tsx';
import { defineList } from '../list/define-list.tsx';
import type { ListTools } from '../list/list.tsx';
import { MailStatus } from '../mails/mail-status.tsx';
import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { bulkFilterOf, type Filter } from '../ui/table/filters.ts';
import { Time } from '../ui/time.tsx';
import { DeleteDialog, ResendDialog, type Invitation } from './action-dialogs.tsx';
import { InvitationsDialog } from './invitations-dialog.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'email', label: 'invitations.email', type: 'search' },
  {
    name: 'isExpired',
    label: 'invitations.link',
    type: 'boolean',
    options: ['false', 'true'],
    texts: 'invitations.isExpired',
  },
  { name: 'contentDefinitionId', label: 'invitations.contentId', isRare: true },
  { name: 'invitedBy', label: 'invitations.byId', isRare: true },
  { name: 'id', label: 'invitations.id', isRare: true },
];

/** The list of pending invitations. */
export const InvitationsScreen = defineList({
  operation: 'GET /admin/invitation',
  caption: 'c.invitations.title',
  none: 'invitations.none',
  noMatch: 'invitations.noMatch',
  first: (words) => <a href="/console/content">{words('invitations.none.lead')}</a>,
  hrefOf: ({ UserId }) => `/console/accounts/${UserId}`,
  accountOf: ({ InvitedBy }) => InvitedBy,
  filters: FILTERS,
  columns: ({ words, emails, open }) => [
    { head: words('invitations.email'), cell: ({ Email }) => Email, isClipped: true },
    {
      head: words('invitations.content'),
      cell: ({ ContentDefinitionId, ContentName }) => (
        <a href={`/console/content/${ContentDefinitionId}`}>{ContentName}</a>
      ),
      isClipped: true,
    },
    {
      head: words('invitations.by'),
      cell: ({ InvitedBy: by }) =>
        by === null ? words('invitations.byToken') : <AccountLink id={by} emails={emails} />,
      isClipped: true,
    },
    { head: words('invitations.sent'), cell: ({ InvitedAt }) => <Time at={InvitedAt} /> },
    { head: words('invitations.linkExpires'), cell: ({ ExpiresAt }) => <Expiry at={ExpiresAt} /> },
    { head: words('invitations.mail'), cell: (invitation) => <MailLink invitation={invitation} /> },
    {
      head: words('invitations.do'),
      isPinned: true,
      cell: (invitation) => (
        <Menu label={words('invitations.menu', { email: invitation.Email })}>
          <MenuItem onClick={() => open((close) => <ResendDialog invitation={invitation} onClose={close} />)}>
            {words('invitations.resend')}
          </MenuItem>
          <MenuItem
            danger
            onClick={() => open((close) => <DeleteDialog invitation={invitation} onClose={close} />)}
          >
            {words('invitations.delete')}
          </MenuItem>
        </Menu>
      ),
    },
  ],
  actions: (tools) => <BulkMenu {...tools} />,
});

/** The bulk changes of all listed invitations. */
function BulkMenu({ words, values, open }: ListTools) {
  const change = (name: 'resend' | 'delete'): void =>
    open((close) => (
      <InvitationsDialog filter={bulkFilterOf(FILTERS, values)} change={name} onClose={close} />
    ));
  return (
    <Menu label={words('invitations.bulk')} labelled>
      <MenuItem onClick={() => change('resend')}>{words('invitations.bulk.resend')}</MenuItem>
      <MenuItem danger onClick={() => change('delete')}>
        {words('invitations.bulk.delete')}
      </MenuItem>
    </Menu>
  );
}

/** When the link expires; an expired link is marked. */
function Expiry({ at }: { at: string }) {
  const words = useWords();
  const isExpired = Date.parse(at) <= Date.now();
  return (
    <>
      {isExpired && <Badge meaning="warning">{words('invitations.link.expired')}</Badge>} <Time at={at} />
    </>
  );
}

/** The state of the mail, with a link to the mails to the same address. */
function MailLink({ invitation: { Email, MailStatus: status } }: { invitation: Invitation }) {
  if (!status) return null;
  return (
    <a href={`/console/mails?${new URLSearchParams({ email: Email }).toString()}`}>
      <MailStatus status={status} />
    </a>
  );
}
