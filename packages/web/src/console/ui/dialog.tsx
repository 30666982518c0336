import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Actions, CancelContext } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type With, words } from '../text.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** `drawer`: at the right edge of the window, with its full height. */
  layout?: 'dialog' | 'drawer';
  children: ComponentChildren;
}

/**
 * A modal dialog. The focus begins in its first field, or else where the browser puts it, and returns to the element
 * that had it before.
 */
export function Dialog({ title, onClose, layout = 'dialog', children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={[styles['box'], styles[layout]].join(' ')}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class={styles['head']}>
        <h2 id={heading}>{title}</h2>
        <button type="button" class={styles['close']} aria-label={words('dialog.close')} onClick={onClose}>
          <Icon name="close" size={20} />
        </button>
      </header>
      <div class={styles['body']}>
        <CancelContext.Provider value={onClose}>{children}</CancelContext.Provider>
      </div>
    </dialog>
  );
}

const FIELD = 'input:not([type=hidden], [type=checkbox]), select, textarea';

type OpenDialog = (dialog: (close: () => void) => ComponentChildren) => void;

const OpenContext = createContext<OpenDialog | undefined>(undefined);

/** The open dialog, to be rendered, and a function that opens one: here, or where a `DialogPlace` around is. */
export function useDialog(): [dialog: ComponentChildren, open: OpenDialog] {
  const elsewhere = useContext(OpenContext);
  const [dialog, setDialog] = useState<ComponentChildren>();
  return [dialog, elsewhere ?? ((render) => setDialog(render(() => setDialog(undefined))))];
}

/** The dialogs of actions in it are outside of them: they stay when the row of a table goes that has opened them. */
export function DialogPlace({ children }: { children: ComponentChildren }) {
  const [dialog, open] = useDialog();
  return (
    <>
      <OpenContext.Provider value={open}>{children}</OpenContext.Provider>
      {dialog}
    </>
  );
}

export interface OnceShown {
  secret: string;
  /** What it is; with `.once` the title, with `.copy` its button, and with `.lead`, if there is that, what it is for. */
  texts: With<'once'>;
  below?: ComponentChildren;
}

/** Shows a secret that is never shown again: the dialog closes only after the user confirms that they stored it. */
export function SecretDialog({ once, onClose }: { once: OnceShown; onClose: () => void }) {
  const { secret, texts, below } = once;
  const lead = pageData.Messages[`${texts}.lead`];
  const [isStored, setStored] = useState(false);
  const [isReminded, setReminded] = useState(false);
  const close = (): void => (isStored ? onClose() : setReminded(true));
  return (
    <Dialog title={words(`${texts}.once`)} onClose={close}>
      <Notice meaning={isReminded ? 'danger' : 'warning'}>{words('tokens.once.lead')}</Notice>
      <code class={styles['secret']} tabIndex={0} role="region" aria-label={words(texts)}>
        {secret}
      </code>
      <div>
        <CopyButton value={secret}>{words(`${texts}.copy`)}</CopyButton>
      </div>
      {lead && <p>{lead}</p>}
      {below}
      <Checkbox name="Stored" onChange={setStored}>
        {words('tokens.stored')}
      </Checkbox>
      <Actions>
        <Button kind="primary" disabled={!isStored} onClick={onClose}>
          {words('tokens.done')}
        </Button>
      </Actions>
    </Dialog>
  );
}
