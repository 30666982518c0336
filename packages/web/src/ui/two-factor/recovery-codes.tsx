import { useState } from 'preact/hooks';
import { Button } from '../form/button.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { CopyButton } from './copy-button.tsx';
import { DownloadIcon, PrintIcon } from '../icon.tsx';
import { useText } from '../locale/locale.ts';
import { saveFile } from '../save-file.ts';
import { usePageData } from '../api/page-data.ts';
import styles from './recovery-codes.module.css';

/** Recovery codes that the user must store: by copying, saving or printing them. Then the user can continue. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = useText();
  const { Name } = usePageData();
  const [isKept, setKept] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const lines = codes.join('\n');
  return (
    <div class={styles['recovery']}>
      <ol class={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class={styles['actions']}>
        <CopyButton value={lines}>{text('recovery.copy')}</CopyButton>
        <Button
          icon={<DownloadIcon />}
          onClick={() =>
            saveFile(
              'recovery-codes.txt',
              'text/plain',
              `${text('recovery.file', { name: Name })}\n\n${lines}\n`,
            )
          }
        >
          {text('recovery.download')}
        </Button>
        <Button icon={<PrintIcon />} onClick={() => print()}>
          {text('recovery.print')}
        </Button>
      </div>
      <Checkbox name="kept" onChange={setKept}>
        {text('recovery.kept')}
      </Checkbox>
      <Button kind="primary" wide onClick={() => (isKept ? onDone() : setAsked(true))}>
        {text('recovery.continue')}
      </Button>
      <p class={styles['asked']} role="alert">
        {isAsked && !isKept && text('recovery.asked')}
      </p>
    </div>
  );
}
