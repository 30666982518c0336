import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/form/button.tsx';
import { useWords } from '../text.ts';
import { shortened } from '../ui/copy.tsx';
import dialog from '../ui/dialog.module.css';
import { differenceOf, namesOf, type Changed } from './difference.ts';
import { NameList } from './name-list.tsx';

interface BulkResultProps<T extends { Id: string }> {
  preview: Changed<T>;
  done: Changed<T>;
  /** The name of an item. */
  nameOf: (item: T) => ComponentChildren;
  /** The names of the selected rows, by their ids. */
  selected?: ReadonlyMap<string, string> | undefined;
  onClose: () => void;
}

/** The result of a bulk change, and its differences from the preview: others may have made changes in the meantime. */
export function BulkResult<T extends { Id: string }>(props: BulkResultProps<T>) {
  const { preview, done, nameOf, selected, onClose } = props;
  const words = useWords();
  const names = namesOf([...preview.Items, ...done.Items], nameOf, selected);
  const named = (ids: readonly string[]) => ids.map((id) => ({ id, words: names.get(id) ?? shortened(id) }));
  const { left, more } = differenceOf(preview, done);
  return (
    <>
      <p role="status">{words('bulk.changed', { count: done.Count })}</p>
      {left.length > 0 && (
        <>
          <p>{words('bulk.left', { count: left.length })}</p>
          <NameList label={words('bulk.left', { count: left.length })} names={named(left)} />
        </>
      )}
      {more.length > 0 && (
        <>
          <p>{words('bulk.moreChanged', { count: more.length })}</p>
          <NameList label={words('bulk.moreChanged', { count: more.length })} names={named(more)} />
        </>
      )}
      <div class={dialog['actions']}>
        <Button kind="primary" onClick={onClose}>
          {words('dialog.close')}
        </Button>
      </div>
    </>
  );
}
