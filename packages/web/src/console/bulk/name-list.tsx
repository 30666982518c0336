import type { ComponentChildren } from 'preact';
import { useCounted } from '../text.ts';
import styles from './bulk.module.css';

interface NameListProps {
  /** What the list is of, for who cannot see it. */
  label: string;
  names: readonly { id: string; words: ComponentChildren }[];
  /** How many there are in all, where not all are named. */
  count?: number;
}

/** What a change of many is about, by name. */
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
