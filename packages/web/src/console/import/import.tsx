import { useState } from 'preact/hooks';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Screen } from '../screen.ts';
import { useWords, useWordsFor } from '../text.ts';
import filterStyles from '../ui/filter-bar.module.css';
import { Icon } from '../ui/icon.tsx';
import { Card, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ImportRun } from './import-run.tsx';
import styles from './import.module.css';
import {
  accountOf,
  FIELDS,
  guessMapping,
  type Mapping,
  readAccounts,
  type Table,
  type TableRow,
} from './table.ts';

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
function ImportScreen() {
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

interface FilePickerProps {
  /** Describes the file that was read; `undefined` before that. */
  name: string | undefined;
  onFile: (file: File) => void;
}

/** Accepts a file that the user drops or chooses. */
function FilePicker({ name, onFile }: FilePickerProps) {
  const words = useWords();
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={[styles['drop'], isOver && styles['over']].filter(Boolean).join(' ')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) onFile(file);
      }}
    >
      <Icon name="import" size={20} />
      <span>{name ?? words('import.drop')}</span>
      <span class="quiet">{words('import.kinds')}</span>
      <input
        type="file"
        class={styles['input']}
        accept=".csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json"
        aria-label={words('import.choose')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
        }}
      />
    </label>
  );
}

interface ColumnsProps {
  table: Table;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

const SAMPLE_ROWS = 5;

/** Lets the user assign columns to fields, and shows the resulting accounts for the first rows. */
function Columns({ table, mapping, onChange }: ColumnsProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <>
      <div class={filterStyles['bar']}>
        {FIELDS.map(([field]) => (
          <label key={field} class={filterStyles['filter']}>
            <span>{wordsFor('import.field', field)}</span>
            <select
              name={field}
              value={mapping[field] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...mapping, [field]: value === '' ? undefined : value })
              }
            >
              <option value="">{words('import.none')}</option>
              {table.columns.map((column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {mapping.Email === undefined && <p role="status">{words('import.noEmail')}</p>}
      <DataTable<TableRow>
        caption={words('import.sample')}
        rows={table.rows.slice(0, SAMPLE_ROWS)}
        keyOf={({ line }) => String(line)}
        columns={FIELDS.map(([field]) => ({
          head: wordsFor('import.field', field),
          cell: (row) => String(accountOf(row, mapping)[field] ?? '–'),
        }))}
      />
    </>
  );
}

export const importScreens: readonly Screen[] = [
  {
    path: '/import',
    component: ImportScreen,
    nav: { label: 'c.import.title', icon: 'import', key: 'j' },
  },
];
