import {
  convertAll,
  type ConvertedExport,
  CONVERTERS,
  convertTable,
  decodeFile,
  type ExportLine,
  FIELDS,
  guessMapping,
  type Mapping,
  ownLines,
  parseJson,
  readTable,
  systemOf,
  type Table,
} from '@gatehouse/intake';
import { useMemo, useState } from 'preact/hooks';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../kit/fields.tsx';
import { counted, words, wordsFor } from '../text.ts';
import filterStyles from '../ui/filter-bar.module.css';
import { Choice } from '../ui/filter-bar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card, Facts, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ImportRun } from './import-run.tsx';
import styles from './import.module.css';

/** Larger files need `npm run import`, which does not read the whole file into memory. */
const BYTES_MAX = 100 * 2 ** 20;

/** One person who chooses a password by mail, and an administrator with a password from another system. */
const SAMPLE = [
  'Email,DisplayName,Role,PasswordHash',
  'ann@example.com,Ann Example,User,',
  'ben@example.com,Ben Example,Admin,$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  '',
].join('\r\n');

export function ImportScreen() {
  const [read, setRead] = useState<{ name: string; file: FileReading }>();
  const [isTooBig, setTooBig] = useState(false);
  const open = async (file: File): Promise<void> => {
    setTooBig(file.size > BYTES_MAX);
    setRead(undefined);
    if (file.size > BYTES_MAX) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    setRead({ name: file.name, file: readAccountFile(bytes) });
  };
  return (
    <ScreenPage title={words('c.import.title')}>
      <Card title={words('import.file')}>
        <FilePicker name={read && nameOf(read)} onFile={(file) => void open(file)} />
        {!read && (
          <div>
            <Button
              icon={<Icon name="download" />}
              onClick={() => saveFile('accounts.csv', 'text/csv;charset=utf-8', SAMPLE)}
            >
              {words('import.example')}
            </Button>
          </div>
        )}
        {isTooBig && <Notice meaning="danger">{words('import.tooBig')}</Notice>}
        {read && <Refusal file={read.file} />}
      </Card>
      {read?.file.kind === 'table' && <TableImport key={read.name} table={read.file.table} />}
      {read?.file.kind === 'export' && <ExportImport key={read.name} file={read.file} />}
    </ScreenPage>
  );
}

function nameOf({ name, file }: { name: string; file: FileReading }) {
  if (file.kind !== 'table' && file.kind !== 'export') return name;
  const count = file.kind === 'table' ? file.table.rows.length : file.export.lines.length;
  return counted('import.file.read', count, { name });
}

function Refusal({ file }: { file: FileReading }) {
  if (file.kind === 'unreadable' || file.kind === 'page')
    return <Notice meaning="danger">{words(`import.${file.kind}`)}</Notice>;
  if (file.kind === 'equal')
    return <Notice meaning="danger">{words('import.equal', { names: file.names.join(', ') })}</Notice>;
  if (file.encoding !== 'windows-1252') return null;
  return <Notice meaning="warning">{words('import.windows1252')}</Notice>;
}

function TableImport({ table }: { table: Table }) {
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(table));
  const converted = useMemo(() => convertTable(table, mapping), [table, mapping]);
  return (
    <>
      <Card title={words('import.columns')}>
        <Columns table={table} lines={converted.lines} mapping={mapping} onChange={setMapping} />
        {mapping.Email !== undefined && <ExportLosses converted={converted} faults={0} />}
      </Card>
      {mapping.Email !== undefined && (
        <ImportRun
          key={JSON.stringify(mapping)}
          accounts={converted.lines}
          hasPasswords={mapping.PasswordHash !== undefined}
        />
      )}
    </>
  );
}

/** Imports an export of another system, whose fields are known. */
function ExportImport({ file }: { file: Extract<FileReading, { kind: 'export' }> }) {
  const [firebase, setFirebase] = useState('');
  const { lines } = file.export;
  const needsParameters = lines.some(({ line }) => line.PasswordSalt !== undefined);
  return (
    <>
      <Card
        title={
          file.system === undefined
            ? words('c.accounts.title')
            : words('import.export', { system: wordsFor('import.system', file.system) })
        }
      >
        <ExportLosses converted={file.export} faults={file.faults} />
        {needsParameters && (
          <TextField
            name="firebase"
            label="import.firebase"
            spellcheck={false}
            onInput={({ currentTarget }) => setFirebase(currentTarget.value.trim())}
          />
        )}
      </Card>
      {lines.length > 0 && (!needsParameters || firebase !== '') && (
        <ImportRun
          key={firebase}
          accounts={lines}
          hasPasswords={lines.some(({ line }) => line.PasswordHash ?? line.CredentialData)}
          {...(needsParameters && { firebase })}
        />
      )}
    </>
  );
}

/** `name`: describes the file that was read. */
function FilePicker({ name, onFile }: { name: string | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file) onFile(file);
  };
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
        take(event.dataTransfer?.files);
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
        onChange={(event) => take(event.currentTarget.files)}
      />
    </label>
  );
}

interface ColumnsProps {
  table: Table;
  lines: readonly ExportLine[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

const SAMPLE_ROWS = 5;
/** First and last name are shown as the name that they make. */
const SHOWN = ['Email', 'DisplayName', 'Role', 'Groups', 'PasswordHash'] as const;

function Columns({ table, lines, mapping, onChange }: ColumnsProps) {
  const options = table.columns.map((value) => ({ value, words: value }));
  return (
    <>
      <div class={filterStyles['bar']}>
        {FIELDS.map(([field]) => (
          <label key={field} class={filterStyles['filter']}>
            <span>{wordsFor('import.field', field)}</span>
            <Choice
              name={field}
              value={mapping[field] ?? ''}
              none="import.none"
              options={options}
              onChange={(value) => onChange({ ...mapping, [field]: value || undefined })}
            />
          </label>
        ))}
      </div>
      {mapping.Email === undefined && <p role="status">{words('import.noEmail')}</p>}
      <DataTable<ExportLine>
        caption="import.sample"
        rows={lines.slice(0, SAMPLE_ROWS)}
        columns={SHOWN.map((field) => [`import.field.${field}`, ({ line }) => line[field]?.toString()])}
      />
    </>
  );
}

/** Reads a file as the export of the system that it shows, or our own lines, otherwise as a table. */
function readAccountFile(bytes: Uint8Array) {
  const { text, encoding } = decodeFile(bytes);
  const source = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  /** `undefined` for lines in our own format. */
  const system = source && systemOf(source.value);
  const converter = CONVERTERS.get(system ?? '');
  // One page of several of an export.
  if (source && converter?.isPage?.(source.value) === true) return { kind: 'page' } as const;
  const accounts =
    source &&
    (converter ? convertAll(converter, converter.entriesOf(source.value) ?? [], source) : ownLines(source));
  if (accounts)
    return { kind: 'export', system, export: accounts, faults: source.faults.length, encoding } as const;
  const reading = readTable(text);
  return reading.kind === 'table' ? { ...reading, encoding } : reading;
}

type FileReading = ReturnType<typeof readAccountFile>;

function ExportLosses({ converted, faults }: { converted: ConvertedExport; faults: number }) {
  const { lines, leftOut, notCarried } = converted;
  return (
    <>
      <Facts
        rows={[
          [words('c.accounts.title'), lines.length],
          ...[...leftOut].map(([why, count]): [string, number] => [
            wordsFor('import.leftOut', why.replaceAll(' ', '-')),
            count,
          ]),
          ...(faults > 0 ? [[words('import.export.faults'), faults] satisfies [string, number]] : []),
        ]}
      />
      {notCarried.size > 0 && (
        <DataTable
          caption="import.notCarried"
          rows={[...notCarried]}
          columns={[
            // Names of fields and types of credentials, as the export has them.
            ['import.notCarried', ([what]) => <span lang="en">{what}</span>],
            ['import.export.count', ([, count]) => count, 'end'],
          ]}
        />
      )}
    </>
  );
}
