import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem, Result } from '../../ui/api/api.ts';
import type { CallApi, Operation } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { Dialog } from '../ui/dialog.tsx';
import { BulkPreview, type PreviewButtons } from './bulk-preview.tsx';

/** Previews a change. Returns a problem for the form; a conflict is passed to it instead. */
export type Look<W> = (wanted: W) => Promise<Problem | undefined>;

interface Bulk<W, C> {
  /** Sends the change: without a preview as a dry run, else for what the preview has shown. */
  send: (callApi: CallApi, wanted: W, preview?: C) => Promise<Result<C>>;
  /** The operations whose answers the change may affect. */
  refreshes: readonly Operation[];
  /** The message after a change that has no `result`. */
  message?: (done: C, preview: C) => string;
  /** Shows how the result differs from the preview. */
  result?: (done: C, preview: C) => ComponentChildren;
  onClose: () => void;
}

interface BulkDialogProps<W, C> extends Bulk<W, C>, PreviewButtons {
  title: string;
  /** Asks what to change. */
  form: (look: Look<W>, conflict: Problem | undefined) => ComponentChildren;
  /** Says what would change, and for how many. */
  lead: (preview: C, wanted: W) => ComponentChildren;
  /** Names the objects that would change. */
  names?: (preview: C) => ComponentChildren;
  /** The label of the button that applies the change. */
  action: (count: number) => string;
}

/** Changes many objects in three steps: choose the change, preview it, see the result. */
export function BulkDialog<W, C extends { Count: number }>(props: BulkDialogProps<W, C>) {
  const { title, form, lead, names, action, result, onClose, ...buttons } = props;
  const { previewed, done, conflict, look, apply, back } = useBulk(props);
  return (
    <Dialog title={title} onClose={onClose}>
      {previewed === undefined && form(look, conflict)}
      {previewed && done === undefined && (
        <BulkPreview
          onBack={back}
          {...buttons}
          lead={lead(previewed.preview, previewed.wanted)}
          action={previewed.preview.Count === 0 ? undefined : action(previewed.preview.Count)}
          onApply={apply}
        >
          {names?.(previewed.preview)}
        </BulkPreview>
      )}
      {previewed && done && result?.(done, previewed.preview)}
    </Dialog>
  );
}

function useBulk<W, C>({ send, refreshes, message, result, onClose }: Bulk<W, C>) {
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const [previewed, setPreviewed] = useState<{ wanted: W; preview: C }>();
  const [done, setDone] = useState<C>();
  const [conflict, setConflict] = useState<Problem>();
  const look: Look<W> = async (wanted) => {
    setConflict(undefined);
    const found = await send(callApi, wanted);
    if (found.ok) setPreviewed({ wanted, preview: found.value });
    else if (found.problem.code === 'conflict') setConflict(found.problem);
    else return found.problem;
    return undefined;
  };
  const apply = async (): Promise<Problem | undefined> => {
    if (previewed === undefined) return undefined;
    const found = await send(callApi, previewed.wanted, previewed.preview);
    if (!found.ok) return found.problem;
    if (message) toast(message(found.value, previewed.preview));
    if (result) setDone(found.value);
    await refresh(...refreshes);
    if (!result) onClose();
    return undefined;
  };
  return { previewed, done, conflict, look, apply, back: () => setPreviewed(undefined) };
}
