import { useWords, useWordsFor } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import type { System } from './system.ts';

/** The servers that Admin depends on, and the mail server's state as last reported by the mail worker. */
export function Servers({ system }: { system: System }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Dependencies, RedisMemory, LastMailSentAt, LastMailError } = system;
  return (
    <Card title={words('system.servers')}>
      <DataTable
        caption={words('system.servers.each')}
        rows={Dependencies}
        keyOf={({ Name }) => Name}
        columns={[
          { head: words('system.server'), cell: ({ Name }) => wordsFor('system.server', Name) },
          {
            head: words('system.state'),
            cell: ({ IsReachable }) => (
              <Badge meaning={IsReachable ? 'success' : 'danger'}>
                {words(IsReachable ? 'system.reachable' : 'system.away')}
              </Badge>
            ),
          },
          { head: words('system.version'), cell: ({ Version }) => Version ?? '–' },
        ]}
      />
      <Facts
        rows={[
          [words('system.evicted'), RedisMemory === null ? words('system.unknown') : RedisMemory.EvictedKeys],
          [
            words('system.policy'),
            RedisMemory === null ? words('system.unknown') : RedisMemory.Policies.join(', '),
          ],
          [words('system.lastMail'), <Time key="mail" at={LastMailSentAt} />],
          [words('system.mailError'), LastMailError ?? words('system.none')],
        ]}
      />
    </Card>
  );
}
