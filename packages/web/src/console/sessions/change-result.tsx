import { Button } from '../../ui/button.tsx';
import type { Answer } from '../api/ask.ts';
import { useWords } from '../text.ts';
import dialog from '../ui/dialog.module.css';
import styles from './change.module.css';

type Changed = Answer<'POST /admin/user-session'>;

interface ChangeResultProps {
  preview: Changed;
  done: Changed;
  onClose: () => void;
}

/** What a change did, and in what that differs from its preview: others may have been quicker. */
export function ChangeResult({ preview, done, onClose }: ChangeResultProps) {
  const words = useWords();
  const changed = new Set(done.Items.map(({ Id }) => Id));
  const left = preview.Items.filter(({ Id }) => !changed.has(Id));
  return (
    <>
      <p role="status">{words('sessions.changed', { count: done.Count })}</p>
      {left.length > 0 && (
        <>
          <p>{words('sessions.changed.left', { count: left.length })}</p>
          <ul class={styles['names']}>
            {left.map(({ Id, Email, IpAddress }) => (
              <li key={Id}>
                {Email} <span class="quiet">{IpAddress}</span>
              </li>
            ))}
          </ul>
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
