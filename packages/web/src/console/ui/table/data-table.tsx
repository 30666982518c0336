import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import styles from './data-table.module.css';
import { RowBox, type Selection } from './row-selection.tsx';

export interface Column<T> {
  key: string;
  head: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand at the end. */
  align?: 'end';
  /** What can be done with a row: it stays in sight, and its head is only read out. */
  isPinned?: boolean;
}

interface DataTableProps<T> {
  /** What the table is of, for who cannot see it. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Where a click on a row leads; its first cell is the link. */
  hrefOf?: (row: T) => string;
  selection?: Selection;
  /** What is shown is of the question before. */
  isOld?: boolean;
}

/** Rows of one kind; the first column is what leads on. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, keyOf, hrefOf, selection, isOld = false } = props;
  const { route } = useLocation();
  const keys = rows.map(keyOf);
  return (
    <div class={styles['scroll']} role="region" aria-label={caption} tabIndex={0} aria-busy={isOld}>
      <table class={styles['table']}>
        <caption class="only-read">{caption}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class={styles['box']}>
                <RowBox selection={selection} keys={keys} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" class={classOf(column)}>
                {column.isPinned ? <span class="only-read">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const href = hrefOf?.(row);
            return (
              <tr
                key={keyOf(row)}
                class={href && styles['leads']}
                onClick={(event) => href && !isOwnTarget(event.target) && route(href)}
              >
                {selection && (
                  <td class={styles['box']}>
                    <RowBox selection={selection} keys={[keyOf(row)]} />
                  </td>
                )}
                {columns.map((column, at) => (
                  <td key={column.key} class={classOf(column)}>
                    {at === 0 && href ? <a href={href}>{column.cell(row)}</a> : column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function classOf({ align, isPinned = false }: Pick<Column<never>, 'align' | 'isPinned'>): string | undefined {
  return isPinned ? styles['pinned'] : align && styles['end'];
}

/** What does something of its own when it is clicked. */
function isOwnTarget(target: EventTarget | null): boolean {
  return (
    (target instanceof Element && target.closest('a, button, input, label') !== null) ||
    String(getSelection()) !== ''
  );
}
