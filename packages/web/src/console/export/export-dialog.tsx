import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/layout/state.tsx';
import { collect, ROWS_MAX, type Collected, type GetPage } from './collect.ts';
import { csvOf } from './csv.ts';
import styles from './export-dialog.module.css';
import { saveFile } from '../../ui/save-file.ts';

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
  const words = useWords();
  const { Locale } = usePageData();
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
  const number = new Intl.NumberFormat(Locale);
  return (
    <Dialog title={words('export.title')} onClose={onClose}>
      <p>{words('export.lead', { most: number.format(ROWS_MAX) })}</p>
      {format !== undefined && (
        <p role="status">
          {words(read.isWhole ? 'export.done' : 'export.progress', { count: number.format(count) })}
        </p>
      )}
      {read.problem && format && <ProblemBox problem={read.problem} retry={() => void run(format)} />}
      <div class={styles['ways']}>
        <Button onClick={onClose}>{words(read.isWhole ? 'dialog.close' : 'dialog.cancel')}</Button>
        {format === undefined && (
          <>
            <Button onClick={() => void run('ndjson')}>NDJSON</Button>
            <Button kind="primary" onClick={() => void run('csv')}>
              CSV
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
