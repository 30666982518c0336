import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import type { Answer } from '../api/ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import dialog from '../ui/dialog.module.css';
import { ProblemBox } from '../ui/state.tsx';
import styles from './change.module.css';

interface ChangePreviewProps {
  preview: Answer<'POST /admin/user-session'>;
  status: number;
  onApply: () => Promise<Problem | undefined>;
  onClose: () => void;
}

/** What a change would change, by name. */
export function ChangePreview({ preview, status, onApply, onClose }: ChangePreviewProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { Items, Count } = preview;
  const people = new Set(Items.map(({ UserId }) => UserId)).size;
  const apply = async (): Promise<void> => {
    setBusy(true);
    setProblem(await onApply());
    setBusy(false);
  };
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      <p role="status">
        {Count === 0
          ? words('sessions.change.nothing')
          : words('sessions.change.count', {
              count: Count,
              people,
              status: wordsFor('sessionStatus', status),
            })}
      </p>
      <ul class={styles['names']}>
        {Items.map(({ Id, Email, IpAddress }) => (
          <li key={Id}>
            {Email} <span class="quiet">{IpAddress}</span>
          </li>
        ))}
      </ul>
      <div class={dialog['actions']}>
        <Button onClick={onClose}>{words('dialog.cancel')}</Button>
        {Count > 0 && (
          <Button kind="danger" busy={isBusy} onClick={() => void apply()}>
            {words(Count === 1 ? 'sessions.change.apply.one' : 'sessions.change.apply', { count: Count })}
          </Button>
        )}
      </div>
    </>
  );
}
