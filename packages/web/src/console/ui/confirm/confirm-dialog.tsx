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
  /** What the button does: a verb and its object. */
  action: string;
  /** What can be taken back is not dangerous. */
  kind?: 'danger' | 'primary';
  /** Does it; what stands in its way is shown, and nothing is closed. */
  onConfirm: () => Promise<Problem | undefined>;
  onClose: () => void;
  /** A word that has to be typed first. */
  typed?: string;
  /** What will happen, and to how many. */
  children: ComponentChildren;
}

/** Asks before what is dangerous, in words that say what it does. */
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
