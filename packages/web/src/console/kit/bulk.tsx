import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem, Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type CallApi, refresh, useConsole } from '../api/call-api.ts';
import { counted, type TextKey, type With, words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/screen-page.tsx';
import { shortened } from '../ui/values.tsx';
import styles from './bulk.module.css';
import { type Changed, differenceOf, namesOf } from './difference.ts';

/** The maximum number of ids that a bulk change accepts. */
export const NAMED_MAX = 1000;

/** Previews a change. Returns a problem for the form; a conflict is passed to it instead. */
export type Look<W> = (wanted: W) => Promise<Problem | undefined>;

interface BulkDialogProps<W, C> {
  title: string;
  form: (look: Look<W>, conflict: Problem | undefined) => ComponentChildren;
  /** Sends the change: without a preview as a dry run, else for what the preview has shown. */
  send: (callApi: CallApi, wanted: W, preview?: C) => Promise<Result<C>>;
  /** Says what would change, and for how many. */
  lead: (preview: C, wanted: W) => ComponentChildren;
  names?: (preview: C) => ComponentChildren;
  action: (count: number) => string;
  /** `primary` if the change can be undone; `danger` by default. */
  kind?: 'danger' | 'primary';
  backLabel?: TextKey;
  /** Without one, that button closes the dialog. */
  hasForm?: boolean | undefined;
  /** The message after a change that has no `result`. */
  message?: (done: C, preview: C) => string;
  /** Shows how the result differs from the preview. */
  result?: (done: C, preview: C) => ComponentChildren;
  onClose: () => void;
}

/** Changes many objects in three steps: choose the change, preview it, see the result. */
export function BulkDialog<W, C extends { Count: number }>(props: BulkDialogProps<W, C>) {
  const { title, form, lead, names, action, kind = 'danger', backLabel = 'bulk.back' } = props;
  const { hasForm = true, result, onClose } = props;
  const { previewed, done, conflict, problem, look, apply, back } = useBulk(props);
  if (previewed === undefined)
    return (
      <Dialog title={title} onClose={onClose}>
        {form(look, conflict)}
      </Dialog>
    );
  const { wanted, preview } = previewed;
  return (
    <Dialog title={title} onClose={onClose}>
      {done ? (
        result?.(done, preview)
      ) : (
        <>
          {problem && <ProblemBox problem={problem} />}
          {lead(preview, wanted)}
          {names?.(preview)}
          <Actions>
            <Button onClick={hasForm ? back : onClose}>{words(hasForm ? backLabel : 'form.cancel')}</Button>
            {preview.Count > 0 && (
              <Button kind={kind} onClick={apply}>
                {action(preview.Count)}
              </Button>
            )}
          </Actions>
        </>
      )}
    </Dialog>
  );
}

function useBulk<W, C>({ send, message, result, onClose }: BulkDialogProps<W, C>) {
  const { callApi, toast } = useConsole();
  const [previewed, setPreviewed] = useState<{ wanted: W; preview: C }>();
  const [done, setDone] = useState<C>();
  const [conflict, setConflict] = useState<Problem>();
  const [problem, setProblem] = useState<Problem>();
  const look: Look<W> = async (wanted) => {
    setConflict(undefined);
    setProblem(undefined);
    const found = await send(callApi, wanted);
    if (found.ok) setPreviewed({ wanted, preview: found.value });
    else if (found.problem.code === 'conflict') setConflict(found.problem);
    else return found.problem;
    return undefined;
  };
  const apply = async (): Promise<void> => {
    if (previewed === undefined) return;
    const found = await send(callApi, previewed.wanted, previewed.preview);
    setProblem(found.ok ? undefined : found.problem);
    if (!found.ok) return;
    if (message) toast(message(found.value, previewed.preview));
    if (result) setDone(found.value);
    await refresh();
    if (!result) onClose();
  };
  return { previewed, done, conflict, problem, look, apply, back: () => setPreviewed(undefined) };
}

/** What names the objects of a bulk change, in the preview and in the result. `selected`: the names of rows, by their ids. */
export function naming<T extends { Id: string }>(
  nameOf: (item: T) => ComponentChildren,
  selected: ReadonlyMap<string, string> | undefined,
  onClose: () => void,
) {
  return {
    /** All that were selected, or the newest that match a filter. */
    names: (preview: Changed<T>) => {
      const names = namesOf(preview.Items, nameOf, selected);
      const known = preview.Ids.flatMap((id) => (names.has(id) ? [{ id, words: names.get(id) }] : []));
      return <NameList names={known} count={preview.Count} />;
    },
    /** The differences from the preview: others may have made changes in the meantime. */
    result: (done: Changed<T>, preview: Changed<T>) => {
      const names = namesOf([...preview.Items, ...done.Items], nameOf, selected);
      const { left, more } = differenceOf(preview.Ids, done.Ids);
      const listed = (said: string, ids: readonly string[]) =>
        ids.length > 0 && (
          <>
            <p>{said}</p>
            <NameList label={said} names={ids.map((id) => ({ id, words: names.get(id) ?? shortened(id) }))} />
          </>
        );
      return (
        <>
          <p role="status">{words('bulk.changed', { count: done.Count })}</p>
          {listed(words('bulk.left', { count: left.length }), left)}
          {listed(words('bulk.moreChanged', { count: more.length }), more)}
          <Actions>
            <Button kind="primary" onClick={onClose}>
              {words('dialog.close')}
            </Button>
          </Actions>
        </>
      );
    },
  };
}

interface NameListProps {
  /** By default, that these will change. */
  label?: string;
  names: readonly { id: string; words: ComponentChildren }[];
  /** The total number, if not all are named. */
  count?: number;
}

export function NameList({ label = words('bulk.who'), names, count = names.length }: NameListProps) {
  if (names.length === 0) return null;
  return (
    <ul class={styles['names']} aria-label={label} tabIndex={0}>
      {names.map(({ id, words: said }) => (
        <li key={id}>{said}</li>
      ))}
      {count > names.length && <li class="quiet">{counted('bulk.more', count - names.length)}</li>}
    </ul>
  );
}

interface Numbers {
  Count: number;
  Skipped: number;
}

interface CountDialogProps<W> extends Pick<BulkDialogProps<W, Numbers>, 'kind' | 'hasForm' | 'onClose'> {
  /** Its title, with which the keys of its other texts begin. */
  texts: With<'skipped'>;
  /** `tooMany`: says that there are too many, if the API has refused because of that. */
  form: (look: Look<W>, tooMany: ComponentChildren) => ComponentChildren;
  send: (callApi: CallApi, body: { Filter: W; DryRun?: boolean }) => Promise<Result<Numbers>>;
}

/** A bulk change whose preview and result are numbers. */
export function CountDialog<W>({ texts, form, send, ...props }: CountDialogProps<W>) {
  return (
    <BulkDialog<W, Numbers>
      {...props}
      title={words(texts)}
      form={(look, conflict) =>
        form(look, conflict && <Notice meaning="danger">{words(`${texts}.tooMany`)}</Notice>)
      }
      send={(callApi, Filter, preview) => send(callApi, { Filter, ...(!preview && { DryRun: true }) })}
      lead={({ Count: count, Skipped }) => (
        <Notice meaning={count === 0 ? 'information' : 'warning'}>
          <p>{words(`${texts}.${count === 0 ? 'none' : 'count'}`, { count })}</p>
          {Skipped > 0 && <p>{words(`${texts}.skipped`, { count: Skipped })}</p>}
        </Notice>
      )}
      backLabel="bulk.filter"
      action={(count) => words(`${texts}.submit`, { count })}
      // Others may have changed some of them since the preview.
      message={({ Count: count }, { Count: before }) =>
        words(`${texts}.${count === before ? 'done' : 'doneOther'}`, { count, before })
      }
    />
  );
}
