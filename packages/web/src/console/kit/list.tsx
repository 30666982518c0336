import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem, Result } from '../../ui/api.ts';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { formatted, pageData } from '../../ui/locale.ts';
import {
  type Answer,
  type Input,
  type Operation,
  type QueryResult,
  useConsole,
  useQuery,
} from '../api/call-api.ts';
import { csvOf } from '../export/csv.ts';
import { EmailsContext, useEmails } from '../objects.tsx';
import { counted, type TextKey, words } from '../text.ts';
import { Dialog, DialogPlace, useDialog } from '../ui/dialog.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { bulkFilterOf, type Filter, type Filters, queryOf, useFilters } from '../ui/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Loaded, ProblemBox, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable, idOf, type Page, Pager, type Selection, useSelection } from '../ui/table.tsx';
import type { Fact } from '../ui/values.tsx';
import { type Act, Acts } from './act.tsx';
import styles from './list.module.css';

interface ListScreen<K extends ListOperation> extends ListOf<K> {
  /** To the right of the title: before the buttons that save and change all rows, and after them. */
  actions?: (filters: Filters) => ComponentChildren;
  acts?: readonly Act<undefined>[];
}

export function defineList<K extends ListOperation>({ actions, acts = [], ...list }: ListScreen<K>) {
  return () => {
    const { filters, ofAll, body } = useList({ lines: 10, ...list });
    const buttons = [actions?.(filters), ofAll, <Acts acts={acts} row={undefined} />];
    return (
      <ScreenPage title={words(list.caption)} wide actions={buttons}>
        {body}
      </ScreenPage>
    );
  };
}

type ListOperation = {
  [K in Operation]: Answer<K> extends Page<unknown> ? K : never;
}[Operation];

export type Row<K extends ListOperation> = Answer<K> extends Page<infer T> ? T : never;

/** What a bulk change targets: all that match the filters, or the selected rows (their names, by their keys). */
export type Target =
  | { filter: Record<string, unknown>; query: Record<string, string | undefined>; selected?: undefined }
  | { selected: ReadonlyMap<string, string> };

export interface ListOf<K extends ListOperation> {
  operation: K;
  path?: Input<K>['path'];
  /** Its query besides the filters; by default, the number of rows is counted. */
  query?: Input<K>['query'];
  caption: TextKey;
  filters?: readonly Filter[];
  columns: readonly Fact<Row<K>>[];
  /** By default, the `Id`. */
  keyOf?: (row: Row<K>) => string;
  hrefOf?: (row: Row<K>, filters: Filters) => string;
  /** The account of a row to which a column links by its email. */
  accountOf?: (row: Row<K>) => string | null;
  /**
   * Says that there are no rows. Where the texts exist, `<none>.noMatch` says it if a filter is set, and `<none>.lead`
   * what would stand here.
   */
  none: TextKey;
  /** Below it, a link to the first step. */
  first?: readonly [path: string, words: TextKey];
  /** The dialog for bulk changes, and the names of selected rows. */
  change?: (target: Target, close: () => void) => ComponentChildren;
  nameOf?: (row: Row<K>) => string;
  /** The name of the file that the rows can be saved as, and a row of it as CSV. */
  exported?: { name: string; rowOf: (row: Row<K>) => Record<string, string> };
  /** Shown between the filters and the table. */
  extra?: (filters: Filters, rows: readonly Row<K>[]) => ComponentChildren;
  lines?: number;
  everyMs?: number;
}

/** A list of objects of one kind: its filters, its rows page by page, and their changes. */
export function List<K extends ListOperation>(list: ListOf<K>) {
  return useList(list).body;
}

function useList<K extends ListOperation>(list: ListOf<K>) {
  const { operation, path, query = { count: true }, filters = [], keyOf = idOf } = list;
  const { change, accountOf, exported } = list;
  const { callApi } = useConsole();
  const [dialog, open] = useDialog();
  const fields = useFilters();
  const narrowed = queryOf(filters, fields.values);
  // The address may contain any value: the API rejects the invalid ones. By `ListOperation`, every list has a cursor.
  const input = { path, query: { ...query, ...narrowed, cursor: fields.values['cursor'] } } as Input<K>;
  const result = useQuery(operation, input, { everyMs: list.everyMs }) as QueryResult<Page<Row<K>>>;
  const rows = result.data?.Items ?? [];
  const isNew = useNewRows(JSON.stringify(input), result.isOld ? undefined : result.data?.Items.map(keyOf));
  const selection = useSelection(JSON.stringify([path, query, narrowed]), (key) => {
    const row = rows.find((one) => keyOf(one) === key);
    return row === undefined ? key : (list.nameOf?.(row) ?? key);
  });
  const { selected } = selection;
  const filter = result.problem === undefined ? bulkFilterOf(filters, fields.values) : undefined;
  const pageAt = (cursor: string | undefined) => {
    const wanted = { path, query: { ...query, ...narrowed, count: undefined, limit: 200, cursor } };
    return callApi(operation, wanted as Input<K>) as Promise<Result<Page<Row<K>>>>; // as above
  };
  const ofAll = (
    <>
      {exported && (
        <Button
          icon={<Icon name="download" />}
          onClick={() => open((close) => <ExportDialog {...exported} page={pageAt} onClose={close} />)}
        >
          {words('export.title')}
        </Button>
      )}
      {change && filter && (
        <Button onClick={() => open((close) => change({ filter, query: narrowed }, close))}>
          {words('bulk.all')}
        </Button>
      )}
    </>
  );
  const emails = useEmails(accountOf ? rows.map(accountOf) : []);
  const body = (
    <>
      {filters.length > 0 && <FilterBar filters={filters} />}
      <DialogPlace>
        {list.extra?.(fields, rows)}
        <EmailsContext.Provider value={emails}>
          <Rows list={list} result={result} fields={fields} isNew={isNew} selection={change && selection} />
        </EmailsContext.Provider>
      </DialogPlace>
      {change && (
        <SelectionBar selection={selection} onPress={() => open((close) => change({ selected }, close))} />
      )}
      {dialog}
    </>
  );
  return { filters: fields, ofAll, body };
}

interface RowsProps<K extends ListOperation> {
  list: ListOf<K>;
  result: QueryResult<Page<Row<K>>>;
  fields: Filters;
  isNew: (key: string) => boolean;
  selection: Selection | undefined;
}

function Rows<K extends ListOperation>({ list, result, fields, isNew, selection }: RowsProps<K>) {
  const { caption, columns, filters = [], keyOf, hrefOf, none, first, lines } = list;
  const { Messages } = pageData;
  const isNarrowed = bulkFilterOf(filters, fields.values) !== undefined;
  const lead = Messages[`${none}.lead`];
  return (
    <Loaded result={result} shape="table" lines={lines}>
      {(page) => (
        <>
          {page.Items.length === 0 ? (
            <Empty title={(isNarrowed && Messages[`${none}.noMatch`]) || words(none)} next={page.NextCursor}>
              {!isNarrowed && lead && <p>{lead}</p>}
              {!isNarrowed && first && <a href={`/console/${first[0]}`}>{words(first[1])}</a>}
            </Empty>
          ) : (
            <DataTable<Row<K>>
              caption={caption}
              columns={columns}
              rows={page.Items}
              keyOf={keyOf}
              hrefOf={hrefOf && ((row) => hrefOf(row, fields))}
              isNew={isNew}
              isOld={result.isOld}
              selection={selection}
            />
          )}
          <Pager {...page} />
        </>
      )}
    </Loaded>
  );
}

/** Which rows have come since the list was opened. Behind its last row, others only move up when one is removed. */
function useNewRows(list: string, keys: readonly string[] | undefined): (key: string) => boolean {
  const opened = useRef<{ list: string; keys: ReadonlySet<string> }>(undefined);
  if (keys && opened.current?.list !== list) opened.current = { list, keys: new Set(keys) };
  const known = opened.current?.keys;
  const last = keys?.findLastIndex((key) => known?.has(key)) ?? -1;
  const fresh = new Set(keys?.slice(0, last + 1).filter((key) => known?.has(key) !== true));
  return (key) => fresh.has(key);
}

/** What can be done with the selected rows, at the bottom of the window; hidden if no row is selected. */
function SelectionBar({ selection, onPress }: { selection: Selection; onPress: () => void }) {
  const { size } = selection.selected;
  return (
    <div class={styles['place']} role="region" aria-label={words('bulk.selection')} hidden={size === 0}>
      <div class={styles['bar']}>
        <span class={styles['count']} role="status">
          {size > 0 && counted('bulk.count', size)}
        </span>
        <Button kind="primary" onClick={onPress}>
          {words('bulk.selected')}
        </Button>
        <Button onClick={() => selection.onChange(new Map())}>{words('bulk.clear')}</Button>
      </div>
    </div>
  );
}

interface ExportDialogProps<T> {
  name: string;
  page: GetPage<T>;
  rowOf: (item: T) => Record<string, string>;
  onClose: () => void;
}

type Format = 'csv' | 'ndjson';

const TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson' };

/** Reads a list page by page, and saves it as a file. Can be stopped, and continued after an error. */
function ExportDialog<T>({ name, page, rowOf, onClose }: ExportDialogProps<T>) {
  const [format, setFormat] = useState<Format>();
  const [count, setCount] = useState(0);
  const [read, setRead] = useState<Collected<T>>({ rows: [], isWhole: false });
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  const run = async (into: Format): Promise<void> => {
    setFormat(into);
    setRead({ ...read, problem: undefined });
    const found = await collect(page, read, () => isGone.current, setCount);
    if (isGone.current) return;
    setRead(found);
    if (!found.isWhole) return;
    const lines = found.rows.map((row) => `${JSON.stringify(row)}\n`);
    saveFile(`${name}.${into}`, TYPES[into], into === 'csv' ? csvOf(found.rows.map(rowOf)) : lines.join(''));
  };
  return (
    <Dialog title={words('export.title')} onClose={onClose}>
      <p>{words('export.lead', { most: formatted(ROWS_MAX) })}</p>
      {format !== undefined && (
        <p role="status">{counted(read.isWhole ? 'export.done' : 'export.progress', count)}</p>
      )}
      {read.problem && format && <ProblemBox problem={read.problem} retry={() => void run(format)} />}
      <Actions>
        <Button onClick={onClose}>{words(read.isWhole ? 'dialog.close' : 'form.cancel')}</Button>
        {format === undefined && (
          <>
            <Button onClick={() => void run('ndjson')}>NDJSON</Button>
            <Button kind="primary" onClick={() => void run('csv')}>
              CSV
            </Button>
          </>
        )}
      </Actions>
    </Dialog>
  );
}

/** Fetches the page at a cursor; without a cursor, the first page. */
type GetPage<T> = (cursor: string | undefined) => Promise<Result<Page<T>>>;

const ROWS_MAX = 100_000;

interface Collected<T> {
  rows: T[];
  cursor?: string | undefined;
  /** The end of the list or `ROWS_MAX` was reached. */
  isWhole: boolean;
  problem?: Problem | undefined;
}

/** Reads the pages of a list until its end, `ROWS_MAX`, an error or a stop. Continues after the rows already read. */
export async function collect<T>(
  getPage: GetPage<T>,
  { rows, cursor }: Collected<T>,
  isStopped: () => boolean,
  onRows: (count: number) => void,
): Promise<Collected<T>> {
  const all = [...rows];
  let next = cursor;
  while (!isStopped()) {
    const page = await getPage(next);
    if (!page.ok) return { rows: all, cursor: next, isWhole: false, problem: page.problem };
    all.push(...page.value.Items);
    next = page.value.NextCursor;
    onRows(all.length);
    if (next === undefined || all.length >= ROWS_MAX) return { rows: all.slice(0, ROWS_MAX), isWhole: true };
  }
  return { rows: all, cursor: next, isWhole: false };
}
