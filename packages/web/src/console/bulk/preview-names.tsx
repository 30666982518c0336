import type { ComponentChildren } from 'preact';
import { useWords } from '../text.ts';
import { namesOf, type Changed } from './difference.ts';
import { NameList } from './name-list.tsx';

interface PreviewNamesProps<T extends { Id: string }> {
  preview: Changed<T>;
  /** The name of an item. */
  nameOf: (item: T) => ComponentChildren;
  /** The names of the selected rows, by their ids. */
  selected?: ReadonlyMap<string, string> | undefined;
}

/** Names what a bulk change would change: all that were selected, or the newest that match a filter. */
export function PreviewNames<T extends { Id: string }>({ preview, nameOf, selected }: PreviewNamesProps<T>) {
  const words = useWords();
  const names = namesOf(preview.Items, nameOf, selected);
  return (
    <NameList
      label={words('bulk.who')}
      names={preview.Ids.flatMap((id) => (names.has(id) ? [{ id, words: names.get(id) }] : []))}
      count={preview.Count}
    />
  );
}
