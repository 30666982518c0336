import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../text.ts';
import styles from './copy.module.css';
import { Icon } from './icon.tsx';

interface CopyProps {
  value: string;
  /** The kind of value, for screen readers: "trace id". */
  label: string;
  /** Shows the whole value; by default, long ids are shortened in the middle. */
  whole?: boolean;
}

/** An id that is copied to the clipboard with a click. */
export function Copy({ value, label, whole = false }: CopyProps) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class={styles['copy']}
      title={value}
      onClick={(event) => {
        event.stopPropagation();
        // Browsers offer a clipboard only with HTTPS or on localhost.
        void navigator.clipboard?.writeText(value).then(() => setCopied(true));
      }}
    >
      <span class="only-read">{words('copy.what', { what: label, value })}</span>
      <span aria-hidden="true">{whole ? value : shortened(value)}</span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="only-read" role="status">
        {isCopied ? words('copy.done') : ''}
      </span>
    </button>
  );
}

/** The first and the last characters of an id: people compare ids by these. */
export function shortened(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
