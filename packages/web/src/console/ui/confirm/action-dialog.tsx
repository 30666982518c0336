import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/form/button.tsx';
import type { Problem, Result } from '../../../ui/api/api.ts';
import type { CallApi, Operation } from '../../api/call-api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords, type Words } from '../../text.ts';
import { Dialog } from '../dialog.tsx';
import styles from '../dialog.module.css';
import { ProblemBox } from '../layout/state.tsx';

interface Action {
  /** The label of the button: a verb and its object. */
  action: string;
  /** The label of the button by default. */
  title?: string;
  /** `primary` if the action can be undone; `danger` by default. */
  kind?: 'danger' | 'primary';
  /** A word that the user must type first. */
  typed?: string;
  /** Says what will happen, and to how many objects. */
  effect: ComponentChildren;
  /** Executes the action. If there is a problem, it is shown and the dialog stays open. */
  run: (callApi: CallApi) => Promise<Result<unknown>>;
  /** The message that confirms it. */
  done: string;
  /** The path of the screen that it opens. */
  next?: string;
  /** The operations whose answers it may change. */
  refreshes: readonly Operation[];
}

/** A dialog that explains the effect of an action, and asks for a confirmation. */
export function actionDialog<P extends object>(actionOf: (props: P, words: Words) => Action) {
  return (props: P & { onClose: () => void }) => {
    const words = useWords();
    const { title, action, kind = 'danger', typed, effect, ...rest } = actionOf(props, words);
    const { onClose } = props;
    const { problem, isBusy, confirm } = useAction(rest, onClose);
    const [word, setWord] = useState('');
    const isReady = typed === undefined || word.trim() === typed;
    return (
      <Dialog title={title ?? action} onClose={onClose}>
        {problem && <ProblemBox problem={problem} />}
        {effect}
        {typed !== undefined && (
          <label class={styles['typed']}>
            <span>{words('confirm.type', { word: typed })}</span>
            <input value={word} autocomplete="off" onInput={(event) => setWord(event.currentTarget.value)} />
          </label>
        )}
        <div class={styles['actions']}>
          <Button onClick={onClose}>{words('dialog.cancel')}</Button>
          <Button kind={kind} busy={isBusy} disabled={!isReady} onClick={() => isReady && void confirm()}>
            {action}
          </Button>
        </div>
      </Dialog>
    );
  };
}

function useAction(
  { run, done, next, refreshes }: Pick<Action, 'run' | 'done' | 'next' | 'refreshes'>,
  onClose: () => void,
) {
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const confirm = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const result = await run(callApi);
    setProblem(result.ok ? undefined : result.problem);
    if (result.ok) {
      toast(done);
      if (next !== undefined) route(next);
      await refresh(...refreshes);
    }
    setBusy(false);
    if (result.ok) onClose();
  };
  return { problem, isBusy, confirm };
}
