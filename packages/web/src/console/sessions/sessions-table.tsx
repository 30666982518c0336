import { deviceName } from '../../pages/device.ts';
import type { Answer } from '../api/call-api.ts';
import { useWords, type Words } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { shortened } from '../ui/copy.tsx';
import { DataTable, type Column } from '../ui/table/data-table.tsx';
import type { Selection } from '../ui/table/row-selection.tsx';
import { Time } from '../ui/time.tsx';
import { StatusBadge } from './status-badge.tsx';

export type Session = Answer<'GET /admin/user-session'>['Items'][number];

interface SessionsTableProps {
  rows: readonly Session[];
  isOld?: boolean;
  selection?: Selection;
}

/** Sessions, newest first. */
export function SessionsTable({ rows, isOld = false, selection }: SessionsTableProps) {
  const words = useWords();
  return (
    <DataTable
      caption={words('c.sessions.title')}
      columns={columnsOf(words)}
      rows={rows}
      keyOf={({ Id }) => Id}
      hrefOf={({ Id }) => `/console/sessions/${Id}`}
      isOld={isOld}
      {...(selection && { selection })}
    />
  );
}

function columnsOf(words: Words): Column<Session>[] {
  return [
    { key: 'email', head: words('sessions.account'), cell: ({ Email }) => Email, isClipped: true },
    { key: 'status', head: words('sessions.status'), cell: ({ Status }) => <StatusBadge status={Status} /> },
    {
      key: 'device',
      head: words('sessions.device'),
      cell: (session) => deviceName(session) ?? words('sessions.device.unknown'),
      isClipped: true,
    },
    {
      key: 'ip',
      head: words('sessions.address'),
      cell: ({ IpAddress }) => IpAddress ?? '–',
      // IPv6 addresses may be long, others are not.
      isClipped: ({ IpAddress }) => IpAddress?.includes(':') === true,
    },
    {
      key: 'created',
      head: words('sessions.created'),
      cell: ({ CreatedAt, SsoProvider }) => (
        <>
          <Time at={CreatedAt} /> {SsoProvider && <span class="quiet">· {SsoProvider}</span>}
        </>
      ),
    },
    {
      key: 'seen',
      head: words('sessions.seen'),
      cell: ({ IsOnline, LastSeenAt }) =>
        IsOnline ? <Badge meaning="success">{words('sessions.online')}</Badge> : <Time at={LastSeenAt} />,
    },
    {
      key: 'content',
      head: words('sessions.content'),
      cell: ({ ContentDefinitionId: id }) =>
        id === null ? '–' : <a href={`/console/content/${id}`}>{shortened(id)}</a>,
    },
  ];
}
