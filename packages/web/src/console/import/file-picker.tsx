import { useState } from 'preact/hooks';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './import.module.css';

interface FilePickerProps {
  /** Describes the file that was read; `undefined` before that. */
  name: string | undefined;
  onFile: (file: File) => void;
}

/** Accepts a file that the user drops or chooses. */
export function FilePicker({ name, onFile }: FilePickerProps) {
  const words = useWords();
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={[styles['drop'], isOver && styles['over']].filter(Boolean).join(' ')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) onFile(file);
      }}
    >
      <Icon name="import" size={20} />
      <span>{name ?? words('import.drop')}</span>
      <span class="quiet">{words('import.kinds')}</span>
      <input
        type="file"
        class={styles['input']}
        accept=".csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json"
        aria-label={words('import.choose')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
        }}
      />
    </label>
  );
}
