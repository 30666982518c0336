import type { ComponentChildren } from 'preact';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { useList, type ListOf, type ListOperation, type ListTools } from './list.tsx';

interface ListScreen<K extends ListOperation> extends ListOf<K> {
  /** Shown to the right of the title. */
  actions?: (tools: ListTools) => ComponentChildren;
}

/** A screen with one list. */
export function defineList<K extends ListOperation>({ actions, ...list }: ListScreen<K>) {
  return () => {
    const { tools, body } = useList({ lines: 10, ...list });
    return (
      <ScreenPage title={tools.words(list.caption)} wide actions={actions?.(tools)}>
        {body}
      </ScreenPage>
    );
  };
}
