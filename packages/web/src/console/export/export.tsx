import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem, Result } from '../../ui/api.ts';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { formatted } from '../../ui/locale.ts';
import { counted, words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/screen-page.tsx';
import { csvOf } from './csv.ts';

interface ExportDialogProps<T> {
  /** The file name, without its extension. */
  name: string;
  page: GetPage<T>;
  /** An item as a CSV row. */
  rowOf: (item: T) => Record<string, string>;
  onClose: () => void;
}

type Format = 'csv' | 'ndjson';

const TYPES = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson' };

/** Reads a list page by page, and saves it as a file. Can be stopped, and continued after an error. */
export function ExportDialog<T>({ name, page, rowOf, onClose }: ExportDialogProps<T>) {
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

export interface PageOf<T> {
  Items: readonly T[];
  NextCursor?: string;
}

/** Fetches the page at a cursor; without a cursor, the first page. */
export type GetPage<T> = (cursor: string | undefined) => Promise<Result<PageOf<T>>>;

const ROWS_MAX = 100_000;

export interface Collected<T> {
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
