import { useState } from 'preact/hooks';
import { useWords } from '../../text.ts';
import styles from './data-table.module.css';

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
export function RowBox({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const words = useWords();
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
