import { useState } from 'preact/hooks';
import { deviceName } from '../../../pages/device.ts';
import type { Answer } from '../../api/call-api.ts';
import { useQuery } from '../../api/use-query.ts';
import { StatusBadge } from '../../sessions/status-badge.tsx';
import { useWords, type Words } from '../../text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DataTable, type Column } from '../../ui/table/data-table.tsx';
import { Loaded } from '../../ui/layout/state.tsx';
import { Time } from '../../ui/time.tsx';
import { ChatDialog, isChatOff } from './chat-dialog.tsx';
import styles from '../content.module.css';

const EVERY_MS = 10_000;

type Watcher = Answer<'GET /admin/user-session'>['Items'][number];

/** Who is watching a live channel now. Refreshed automatically while the window is visible. */
export function Watching({ id }: { id: string }) {
  const words = useWords();
  const [asking, setAsking] = useState<Watcher>();
  const result = useQuery(
    'GET /admin/user-session',
    { query: { contentDefinitionId: id, isOnline: true, limit: 200 } },
    { everyMs: EVERY_MS },
  );
  return (
    <div class={styles['part']}>
      <h2>{words('content.watching')}</h2>
      <Loaded result={result} lines={2}>
        {({ Items, NextCursor }) => (
          <>
            <p class="quiet" role="status">
              {Items.length === 0
                ? words('content.watching.none')
                : words(NextCursor === undefined ? 'content.watching.count' : 'content.watching.more', {
                    count: Items.length,
                  })}
            </p>
            {Items.length > 0 && (
              <DataTable
                caption={words('content.watching')}
                rows={Items}
                keyOf={({ Id }) => Id}
                hrefOf={({ Id }) => `/console/sessions/${Id}`}
                isOld={result.isOld}
                columns={watcherColumns(words, setAsking)}
              />
            )}
          </>
        )}
      </Loaded>
      {asking && <ChatDialog session={asking} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

function watcherColumns(words: Words, onChat: (session: Watcher) => void): Column<Watcher>[] {
  return [
    { head: words('content.email'), cell: ({ Email }) => Email },
    { head: words('sessions.status'), cell: ({ Status }) => <StatusBadge status={Status} /> },
    {
      head: words('sessions.device'),
      cell: (session) => deviceName(session) ?? words('sessions.device.unknown'),
    },
    { head: words('sessions.seen'), cell: ({ LastSeenAt }) => <Time at={LastSeenAt} /> },
    {
      head: words('content.chat'),
      align: 'end',
      cell: (session) => (
        <Button onClick={() => onChat(session)}>
          {words(isChatOff(session) ? 'content.chat.on' : 'content.chat.off')}
        </Button>
      ),
    },
  ];
}
