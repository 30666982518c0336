import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useWords } from '../text.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  /** Called on Escape, and by the close button. */
  onClose: () => void;
  /** `drawer`: at the right edge of the window, with its full height. */
  layout?: 'dialog' | 'drawer';
  children: ComponentChildren;
}

/** A modal dialog. When it is closed, the focus returns to the element that had it before. */
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

/** A modal dialog as a panel at the right edge. */
export function Drawer(props: Omit<DialogProps, 'layout'>) {
  return <Dialog {...props} layout="drawer" />;
}
