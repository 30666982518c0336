import { deviceName } from '../../pages/device.ts';
import type { ListOf } from '../list/list.tsx';
import { Badge } from '../ui/badge.tsx';
import { shortened } from '../ui/copy.tsx';
import { Time } from '../ui/time.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Sessions, newest first. */
export const SESSION_LIST: Omit<ListOf<'GET /admin/user-session'>, 'none'> = {
  operation: 'GET /admin/user-session',
  caption: 'c.sessions.title',
  hrefOf: ({ Id }) => `/console/sessions/${Id}`,
  columns: ({ words }) => [
    { head: words('sessions.account'), cell: ({ Email }) => Email, isClipped: true },
    { head: words('sessions.status'), cell: ({ Status }) => <StatusBadge status={Status} /> },
    {
      head: words('sessions.device'),
      cell: (session) => deviceName(session) ?? words('sessions.device.unknown'),
      isClipped: true,
    },
    { head: words('sessions.tag'), cell: ({ Tag }) => Tag ?? '–', isSecondary: true },
    {
      head: words('sessions.address'),
      cell: ({ IpAddress }) => IpAddress ?? '–',
      // IPv6 addresses may be long, others are not.
      isClipped: ({ IpAddress }) => IpAddress?.includes(':') === true,
    },
    {
      head: words('sessions.created'),
      cell: ({ CreatedAt, SsoProvider }) => (
        <>
          <Time at={CreatedAt} /> {SsoProvider && <span class="quiet">· {SsoProvider}</span>}
        </>
      ),
    },
    {
      head: words('sessions.seen'),
      cell: ({ IsOnline, LastSeenAt }) =>
        IsOnline ? <Badge meaning="success">{words('sessions.online')}</Badge> : <Time at={LastSeenAt} />,
    },
    {
      head: words('sessions.content'),
      cell: ({ ContentDefinitionId: id }) =>
        id === null ? '–' : <a href={`/console/content/${id}`}>{shortened(id)}</a>,
      isSecondary: true,
    },
  ],
  nameOf: ({ Email, IpAddress }) => [Email, IpAddress].filter(Boolean).join(' '),
  change: (target, close) =>
    'filter' in target ? (
      <ChangeDialog target={{ Filter: target.filter }} onClose={close} />
    ) : (
      <ChangeDialog
        target={{ SessionIds: [...target.selected.keys()] }}
        selected={target.selected}
        onClose={close}
      />
    ),
};
