import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/form/button.tsx';
import type { Problem } from '../../../ui/api/api.ts';
import { useWords } from '../../text.ts';
import { Dialog } from '../dialog.tsx';
import styles from '../dialog.module.css';
import { ProblemBox } from '../layout/state.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The label of the button: a verb and its object. */
  action: string;
  /** `primary` if the action can be undone; `danger` by default. */
  kind?: 'danger' | 'primary';
  /** Executes the action. If it returns a problem, the problem is shown and the dialog stays open. */
  onConfirm: () => Promise<Problem | undefined>;
  onClose: () => void;
  /** A word that the user must type first. */
  typed?: string;
  /** Says what will happen, and to how many objects. */
  children: ComponentChildren;
}

/** Explains the effect of an action, and asks for a confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, kind = 'danger', onConfirm, onClose, typed, children } = props;
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [word, setWord] = useState('');
  const isReady = typed === undefined || word.trim() === typed;
  const confirm = async (): Promise<void> => {
    if (!isReady || isBusy) return;
    setBusy(true);
    const found = await onConfirm();
    setBusy(false);
    setProblem(found);
    if (found === undefined) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {problem && <ProblemBox problem={problem} />}
      {children}
      {typed !== undefined && (
        <label class={styles['typed']}>
          <span>{words('confirm.type', { word: typed })}</span>
          <input value={word} autocomplete="off" onInput={(event) => setWord(event.currentTarget.value)} />
        </label>
      )}
      <div class={styles['actions']}>
        <Button onClick={onClose}>{words('dialog.cancel')}</Button>
        <Button kind={kind} busy={isBusy} disabled={!isReady} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
