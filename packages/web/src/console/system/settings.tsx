import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import type { System } from './system.ts';

/** The effective settings; a secret is only shown as set. */
export function Settings({ settings }: { settings: System['Settings'] }) {
  const words = useWords();
  return (
    <Card title={words('system.settings')}>
      <p class="quiet">{words('system.settings.lead')}</p>
      <DataTable
        caption={words('system.settings.each')}
        rows={settings}
        keyOf={({ Name }) => Name}
        columns={[
          { head: words('system.setting'), cell: ({ Name }) => <code>{Name}</code> },
          { head: words('system.value'), cell: ({ Value }) => <Shown value={Value} /> },
        ]}
      />
    </Card>
  );
}

function Shown({ value }: { value: System['Settings'][number]['Value'] }) {
  const words = useWords();
  if (value === null) return <span class="quiet">–</span>;
  if (value === 'set') return <Badge meaning="information">{words('system.set')}</Badge>;
  return <code>{String(value)}</code>;
}
