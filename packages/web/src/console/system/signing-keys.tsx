import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { Card } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import type { System } from './system.ts';

/** The keys that sign tokens, and older ones that still verify them. */
export function SigningKeys({ keys }: { keys: System['SigningKeys'] }) {
  const words = useWords();
  return (
    <Card title={words('system.keys')}>
      <DataTable
        caption={words('system.keys.each')}
        rows={keys}
        keyOf={({ Kid }) => Kid}
        columns={[
          { head: words('system.kid'), cell: ({ Kid }) => <Copy value={Kid} label="kid" /> },
          {
            head: words('system.use'),
            cell: ({ Signs }) => (
              <Badge meaning={Signs ? 'success' : 'neutral'}>
                {words(Signs ? 'system.signs' : 'system.verifies')}
              </Badge>
            ),
          },
          {
            head: words('system.created'),
            cell: ({ CreatedAt }) => <Time at={CreatedAt} />,
          },
          { head: words('system.signsFrom'), cell: ({ SignsFrom }) => <Time at={SignsFrom} /> },
        ]}
      />
    </Card>
  );
}
