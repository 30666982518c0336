import { usePageData } from '../../ui/api/page-data.ts';
import { useWords, type Words } from '../text.ts';
import { ageOf } from '../ui/age.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import type { System } from './system.ts';

/** The backlogs: events to publish, mails to send, and messages in queues. */
export function Waiting({ system: { Outbox, Mails, Queues } }: { system: System }) {
  const words = useWords();
  const { Locale } = usePageData();
  return (
    <Card title={words('system.waiting')}>
      <Facts
        rows={[
          [words('system.outbox'), backlogIn(words, Locale, Outbox)],
          [words('system.mails'), backlogIn(words, Locale, Mails)],
        ]}
      />
      {Queues === null ? (
        <p class="quiet">{words('system.queues.unknown')}</p>
      ) : (
        <DataTable
          caption={words('system.queues')}
          rows={Queues}
          keyOf={({ Name }) => Name}
          columns={[
            { head: words('system.queue'), cell: ({ Name }) => <code>{Name}</code> },
            {
              head: words('system.messages'),
              cell: ({ Messages }) => Messages,
              align: 'end',
            },
            {
              head: words('system.consumers'),
              cell: ({ Consumers }) => Consumers,
              align: 'end',
            },
          ]}
        />
      )}
    </Card>
  );
}

function backlogIn(
  words: Words,
  locale: string,
  { Waiting: count, OldestSeconds }: System['Outbox'],
): string {
  if (count === 0) return words('system.nothing');
  return words('system.backlog', { count, age: ageOf(OldestSeconds, locale) });
}
