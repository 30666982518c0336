import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { formatted } from '../../ui/locale.ts';
import { type TextKey, words } from '../text.ts';
import { useFilters } from './filters.ts';
import { Icon } from './icon.tsx';
import styles from './table.module.css';
import { type Fact, type Look, None } from './values.tsx';

interface DataTableProps<T> {
  caption: TextKey;
  columns: readonly Fact<T>[];
  rows: readonly T[];
  /** By default, the `Id`, or else the place: rows that only stand there need no other. */
  keyOf?: ((row: T) => string) | undefined;
  /** The address that a click on a row opens; the row's first cell is a link to it. */
  hrefOf?: ((row: T) => string) | undefined;
  selection?: Selection | undefined;
  /** Whether the row has come since the table was opened. */
  isNew?: (key: string) => boolean;
  /** Whether the rows are the answer to the previous query. */
  isOld?: boolean;
}

/** A table of objects of one kind, in a narrow window a list of cards. The first cell of a row links to the object. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, keyOf = idOf, hrefOf, selection, isNew, isOld = false } = props;
  const { route } = useLocation();
  return (
    <div class={styles['scroll']} role="region" aria-label={words(caption)} tabIndex={0} aria-busy={isOld}>
      <table class={styles['table']}>
        <caption class="only-read">{words(caption)}</caption>
        <thead>
          <tr>
            {selection && (
              <th scope="col" class={styles['box']}>
                <RowBox selection={selection} keys={rows.map(keyOf)} />
              </th>
            )}
            {columns.map(([head, , look]) => (
              <th key={head} scope="col" class={classOf(look)}>
                {look === 'pinned' ? <span class="only-read">{words(head)}</span> : words(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const href = hrefOf?.(row);
            const key = keyOf(row);
            return (
              <tr
                key={key}
                class={[href && styles['leads'], isNew?.(key) && styles['new']].filter(Boolean).join(' ')}
                onClick={(event) => href && !isOwnTarget(event.target) && route(href)}
              >
                {selection && (
                  <td class={styles['box']}>
                    <RowBox selection={selection} keys={[key]} />
                  </td>
                )}
                {columns.map(([head, show, look], at) => {
                  const cell = show(row);
                  const shown = cell ?? <None />;
                  const clips = typeof look === 'function' ? look(row) : look === 'clipped';
                  const linked = at === 0 && href ? <a href={href}>{shown}</a> : shown;
                  return (
                    <td
                      key={head}
                      class={classOf(look, clips && (at === 0 ? 'named' : 'clipped'), at === 0)}
                      data-head={words(head)}
                      {...(clips && typeof cell === 'string' && { title: cell })}
                    >
                      {clips ? <Clipped>{linked}</Clipped> : linked}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The items of the API have an `Id`. Of other rows it is none, and then it is no key; lists of them have a `keyOf`. */
export function idOf(row: unknown): string {
  return (row as { Id: string }).Id;
}

function Clipped({ children }: { children: ComponentChildren }) {
  return (
    <span class={styles['shrinks']}>
      <span class={styles['ends']}>{children}</span>
    </span>
  );
}

function classOf(look: Look<never> | undefined, clips: 'named' | 'clipped' | false = false, isFirst = false) {
  const own = typeof look === 'function' || look === 'clipped' ? undefined : look;
  const shown = clips || own;
  return [shown && styles[shown], isFirst && styles['first']].filter(Boolean).join(' ');
}

/** Whether a click must not open the row: the element has its own action, or text is selected. */
function isOwnTarget(target: EventTarget | null): boolean {
  return (
    (target instanceof Element && target.closest('a, button, input, label') !== null) ||
    String(getSelection()) !== ''
  );
}

/** The selected rows of all pages: their names, by their keys. */
export interface Selection {
  selected: ReadonlyMap<string, string>;
  onChange: (selected: ReadonlyMap<string, string>) => void;
  /** The name of a row of this page, for example `ann@example.com`. */
  nameOf: (key: string) => string;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** The selected rows, also those on other pages of the list. When the list (`of`) changes, the selection is empty. */
export function useSelection(of: string, nameOf: Selection['nameOf']): Selection {
  const [state, setState] = useState({ of, selected: NONE });
  return {
    selected: state.of === of ? state.selected : NONE,
    onChange: (selected) => setState({ of, selected }),
    nameOf,
  };
}

/** The checkbox of one row, or of all rows of the page. */
function RowBox({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const { selected, onChange, nameOf } = selection;
  const isChecked = keys.length > 0 && keys.every((key) => selected.has(key));
  const [key = ''] = keys;
  return (
    <label class={styles['target']}>
      <input
        type="checkbox"
        checked={isChecked}
        aria-label={
          keys.length === 1 ? words('table.select', { name: nameOf(key) }) : words('table.select.all')
        }
        onChange={() => {
          const next = new Map(selected);
          for (const one of keys) {
            if (isChecked) next.delete(one);
            else next.set(one, nameOf(one));
          }
          onChange(next);
        }}
      />
    </label>
  );
}

export interface Page<T> {
  Items: readonly T[];
  NextCursor?: string;
  Count?: number;
  CountIsExact?: boolean;
}

/** Buttons for newer and older pages of a list. The page is in the address, so that Back opens the newer one. */
export function Pager({ NextCursor: next, Count: count, CountIsExact = true }: Page<unknown>) {
  const { values, set } = useFilters();
  // An empty list says so itself.
  const number = count === undefined || count === 0 ? undefined : formatted(count);
  return (
    <nav class={styles['pager']} aria-label={words('pager.label')}>
      <span class="quiet" role="status">
        {number !== undefined && words(CountIsExact ? 'pager.count' : 'pager.count.more', { count: number })}
      </span>
      {values['cursor'] !== undefined && (
        <>
          <Button icon={<Icon name="newer" />} onClick={() => set({ cursor: undefined })}>
            {words('pager.newest')}
          </Button>
          <Button onClick={() => history.back()}>{words('pager.newer')}</Button>
        </>
      )}
      {next !== undefined && (
        <Button onClick={() => set({ cursor: next }, { keepPage: true })}>{words('pager.older')}</Button>
      )}
    </nav>
  );
}
