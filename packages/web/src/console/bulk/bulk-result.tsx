import type { ComponentChildren } from 'preact';
import { Button } from '../../ui/form/button.tsx';
import { useWords } from '../text.ts';
import { shortened } from '../ui/copy.tsx';
import dialog from '../ui/dialog.module.css';
import { differenceOf, type Changed } from './difference.ts';
import { NameList } from './name-list.tsx';

interface BulkResultProps<T extends { Id: string }> {
  preview: Changed<T>;
  done: Changed<T>;
  /** The name of an item. */
  nameOf: (item: T) => ComponentChildren;
  onClose: () => void;
}

/** The result of a bulk change, and its differences from the preview: others may have made changes in the meantime. */
export function BulkResult<T extends { Id: string }>(props: BulkResultProps<T>) {
  const { preview, done, nameOf, onClose } = props;
  const words = useWords();
  const known = new Map([...preview.Items, ...done.Items].map((item) => [item.Id, item]));
  const named = (ids: readonly string[]) =>
    ids.map((id) => {
      const item = known.get(id);
      return { id, words: item === undefined ? shortened(id) : nameOf(item) };
    });
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
