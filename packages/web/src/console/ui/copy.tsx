import { useEffect, useState } from 'preact/hooks';
import { useWords } from '../text.ts';
import styles from './copy.module.css';
import { Icon } from './icon.tsx';

interface CopyProps {
  value: string;
  /** What it is, for who cannot see it: "trace id". */
  label: string;
  /** Shows it whole; long ids are shortened in the middle otherwise. */
  whole?: boolean;
}

/** An id that a click puts into the clipboard. */
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
        // There is no clipboard without https, but on the own machine.
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

/** Its beginning and its end, as people compare ids by these. */
export function shortened(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}
