import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { CopyButton } from '../../ui/two-factor/copy-button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import dialog from '../ui/dialog.module.css';
import styles from './new-token-dialog.module.css';

/** Shows a token that is never shown again: the dialog closes only after the user confirms that they stored it. */
export function NewTokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const words = useWords();
  const [isStored, setStored] = useState(false);
  const [isReminded, setReminded] = useState(false);
  const close = (): void => (isStored ? onClose() : setReminded(true));
  return (
    <Dialog title={words('tokens.once.title')} onClose={close}>
      <Notice meaning={isReminded ? 'danger' : 'warning'}>{words('tokens.once.lead')}</Notice>
      <code class={styles['token']} tabIndex={0} role="region" aria-label={words('tokens.token')}>
        {token}
      </code>
      <div>
        <CopyButton value={token}>{words('tokens.copy')}</CopyButton>
      </div>
      <Checkbox name="Stored" onChange={setStored}>
        {words('tokens.stored')}
      </Checkbox>
      <div class={dialog['actions']}>
        <Button kind="primary" disabled={!isStored} onClick={onClose}>
          {words('tokens.done')}
        </Button>
      </div>
    </Dialog>
  );
}
