import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/form/button.tsx';
import { useCounted, useWords } from '../text.ts';
import type { Selection } from '../ui/table/row-selection.tsx';
import styles from './selection-bar.module.css';

/** The actions on the selected rows, at the bottom of the window; hidden if no row is selected. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ComponentChildren }) {
  const words = useWords();
  const counted = useCounted();
  const { size } = selection.selected;
  return (
    <div class={styles['place']} role="region" aria-label={words('bulk.selection')} hidden={size === 0}>
      <div class={styles['bar']}>
        <span class={styles['count']} role="status">
          {size > 0 && counted('bulk.count', size)}
        </span>
        {children}
        <Button onClick={() => selection.onChange(new Map())}>{words('bulk.clear')}</Button>
      </div>
    </div>
  );
}
