import { useEffect } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import styles from './toasts.module.css';

export interface ToastMessage {
  id: number;
  words: string;
}

/** Short messages that disappear after a few seconds. Screen readers announce them. */
export function Toasts({
  toasts,
  onOver,
}: {
  toasts: readonly ToastMessage[];
  onOver: (id: number) => void;
}) {
  return (
    <div class={styles['toasts']} role="status">
      {toasts.map((one) => (
        <Toast key={one.id} {...one} onOver={onOver} />
      ))}
    </div>
  );
}

const SHOWN_MS = 5000;

function Toast({ id, words, onOver }: ToastMessage & { onOver: (id: number) => void }) {
  useEffect(() => {
    const timer = setTimeout(() => onOver(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <p class={styles['toast']}>
      <Icon name="check" /> {words}
    </p>
  );
}
