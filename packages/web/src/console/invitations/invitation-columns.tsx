import type { ComponentChildren } from 'preact';
import { MailStatus } from '../mails/mail-status.tsx';
import type { Words } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import type { Invitation } from './invitation.ts';

interface InvitationColumns {
  words: Words;
  /** Renders the account that sent the invitation. */
  by: (accountId: string | null) => ComponentChildren;
  onResend: (invitation: Invitation) => void;
  onDelete: (invitation: Invitation) => void;
}

/** The columns of the invitation list, including the buttons to resend and delete. */
export function invitationColumns({
  words,
  by,
  onResend,
  onDelete,
}: InvitationColumns): Column<Invitation>[] {
  return [
    { key: 'email', head: words('invitations.email'), cell: ({ Email }) => Email, isClipped: true },
    {
      key: 'content',
      head: words('invitations.content'),
      cell: ({ ContentDefinitionId, ContentName }) => (
        <a href={`/console/content/${ContentDefinitionId}`}>{ContentName}</a>
      ),
      isClipped: true,
    },
    { key: 'by', head: words('invitations.by'), cell: ({ InvitedBy }) => by(InvitedBy), isClipped: true },
    { key: 'sent', head: words('invitations.sent'), cell: ({ InvitedAt }) => <Time at={InvitedAt} /> },
    {
      key: 'link',
      head: words('invitations.linkExpires'),
      cell: ({ ExpiresAt }) => <Link words={words} expiresAt={ExpiresAt} />,
    },
    {
      key: 'mail',
      head: words('invitations.mail'),
      cell: ({ Email, MailStatus: status }) =>
        status && (
          <a href={`/console/mails?${new URLSearchParams({ email: Email }).toString()}`}>
            <MailStatus status={status} />
          </a>
        ),
    },
    {
      key: 'do',
      head: words('invitations.do'),
      isPinned: true,
      cell: (invitation) => (
        <Menu label={words('invitations.menu', { email: invitation.Email })}>
          <MenuItem onClick={() => onResend(invitation)}>{words('invitations.resend')}</MenuItem>
          <MenuItem danger onClick={() => onDelete(invitation)}>
            {words('invitations.delete')}
          </MenuItem>
        </Menu>
      ),
    },
  ];
}

/** When the link expires; an expired link is marked. */
function Link({ words, expiresAt }: { words: Words; expiresAt: string }) {
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <>
      {isExpired && <Badge meaning="warning">{words('invitations.link.expired')}</Badge>}{' '}
      <Time at={expiresAt} />
    </>
  );
}
