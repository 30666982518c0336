import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { CopyButton } from '../../ui/two-factor/copy-button.tsx';
import { useWords } from '../text.ts';
import { Dialog } from './dialog.tsx';
import dialog from './dialog.module.css';
import styles from './secret-dialog.module.css';

interface SecretDialogProps {
  secret: string;
  title: string;
  /** What the secret is. */
  label: string;
  copy: string;
  onClose: () => void;
  /** Shown below it. */
  children?: ComponentChildren;
}

/** Shows a secret that is never shown again: the dialog closes only after the user confirms that they stored it. */
export function SecretDialog({ secret, title, label, copy, onClose, children }: SecretDialogProps) {
  const words = useWords();
  const [isStored, setStored] = useState(false);
  const [isReminded, setReminded] = useState(false);
  const close = (): void => (isStored ? onClose() : setReminded(true));
  return (
    <Dialog title={title} onClose={close}>
      <Notice meaning={isReminded ? 'danger' : 'warning'}>{words('tokens.once.lead')}</Notice>
      <code class={styles['secret']} tabIndex={0} role="region" aria-label={label}>
        {secret}
      </code>
      <div>
        <CopyButton value={secret}>{copy}</CopyButton>
      </div>
      {children}
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
