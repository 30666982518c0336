import type { ComponentChildren } from 'preact';
import { useCounted } from '../text.ts';
import styles from './bulk.module.css';

interface NameListProps {
  /** The accessible name of the list. */
  label: string;
  names: readonly { id: string; words: ComponentChildren }[];
  /** The total number, if not all are named. */
  count?: number;
}

/** The names of the objects that a bulk change affects. */
export function NameList({ label, names, count = names.length }: NameListProps) {
  const counted = useCounted();
  if (names.length === 0) return null;
  return (
    <ul class={styles['names']} aria-label={label} tabIndex={0}>
      {names.map(({ id, words }) => (
        <li key={id}>{words}</li>
      ))}
      {count > names.length && <li class="quiet">{counted('bulk.more', count - names.length)}</li>}
    </ul>
  );
}
