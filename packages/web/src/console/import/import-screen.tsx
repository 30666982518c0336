import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useWords } from '../text.ts';
import { Card, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Columns } from './columns.tsx';
import { FilePicker } from './file-picker.tsx';
import { ImportRun } from './import-run.tsx';
import { guessMapping, type Mapping } from './mapping.ts';
import { readAccounts, type Table } from './read-accounts.ts';

/** Larger files need `npm run import`, which does not read the whole file into memory. */
const BYTES_MAX = 100 * 2 ** 20;

/** One person who chooses a password by mail, and an administrator with a password from another system. */
const SAMPLE = [
  'Email,DisplayName,Role,PasswordHash',
  'ann@example.com,Ann Example,User,',
  'ben@example.com,Ben Example,Admin,$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  '',
].join('\r\n');

interface Read {
  name: string;
  table: Table;
}

/** Imports accounts of another system from a file: choose the columns, do a dry run, then import. */
export function ImportScreen() {
  const words = useWords();
  const [read, setRead] = useState<Read>();
  const [mapping, setMapping] = useState<Mapping>({});
  const [refusal, setRefusal] = useState<'import.tooBig' | 'import.unreadable'>();
  const open = async (file: File): Promise<void> => {
    const table = file.size > BYTES_MAX ? undefined : readAccounts(await file.text());
    setRefusal(file.size > BYTES_MAX ? 'import.tooBig' : table ? undefined : 'import.unreadable');
    setRead(table && { name: file.name, table });
    if (table) setMapping(guessMapping(table));
  };
  return (
    <ScreenPage title={words('c.import.title')}>
      <Card title={words('import.file')}>
        <FilePicker
          name={read && words('import.file.read', { name: read.name, count: read.table.rows.length })}
          onFile={(file) => void open(file)}
        />
        {!read && (
          <div>
            <Button
              icon={<Icon name="export" />}
              onClick={() => saveFile('accounts.csv', 'text/csv;charset=utf-8', SAMPLE)}
            >
              {words('import.example')}
            </Button>
          </div>
        )}
        {refusal && <Notice meaning="danger">{words(refusal)}</Notice>}
      </Card>
      {read && (
        <Card title={words('import.columns')}>
          <Columns table={read.table} mapping={mapping} onChange={setMapping} />
        </Card>
      )}
      {read && mapping.Email !== undefined && (
        <ImportRun
          key={JSON.stringify([read.name, read.table.rows.length, mapping])}
          table={read.table}
          mapping={mapping}
        />
      )}
    </ScreenPage>
  );
}
