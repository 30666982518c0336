import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useWords } from '../text.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  /** Closed by Escape, its cross or a button. */
  onClose: () => void;
  /** `drawer`: at the end of the window, as high as that. */
  layout?: 'dialog' | 'drawer';
  children: ComponentChildren;
}

/** A question before all else; the focus goes back to where it was once it is closed. */
export function Dialog({ title, onClose, layout = 'dialog', children }: DialogProps) {
  const words = useWords();
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
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
      <div class={styles['body']}>{children}</div>
    </dialog>
  );
}

/** As a panel next to its list. */
export function Drawer(props: Omit<DialogProps, 'layout'>) {
  return <Dialog {...props} layout="drawer" />;
}
