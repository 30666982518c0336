import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { saveFile } from './browser.ts';
import { Button } from './button.tsx';
import { Checkbox } from './fields.tsx';
import { pageData, text } from './locale.ts';
import styles from './two-factor.module.css';

/** The secret of an authenticator app: as a QR code, as a link for the phone itself, and as text in groups of four. */
export function TwoFactorSecret({ secret, uri }: { secret: string; uri: string }) {
  const code = useMemo(() => generate(uri), [uri]);
  const side = code.size + 8;
  return (
    <div class={styles['secret']}>
      {/* Black on white in every theme, as scanners need it. */}
      <svg class={styles['qr']} viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={text('setUp.qr')}>
        <path d={toSvgPath(code)} fill="currentColor" shape-rendering="crispEdges" />
      </svg>
      <p>
        <a class={styles['app']} href={uri}>
          {text('setUp.open')}
        </a>
      </p>
      <p class={styles['by-hand']}>{text('setUp.byHand')}</p>
      <code class={styles['groups']}>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      <CopyButton value={secret}>{text('setUp.copy')}</CopyButton>
    </div>
  );
}

export function CopyButton({ value, children }: { value: string; children: ComponentChildren }) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
  const copy = async (): Promise<void> => {
    // Without https there is no clipboard, except on localhost.
    const done = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setOutcome(done ? 'done' : 'failed');
  };
  return (
    <>
      <Button icon={outcome === 'done' ? 'check' : 'copy'} onClick={() => void copy()}>
        {children}
      </Button>
      <span role="status">{outcome && text(`copy.${outcome}`)}</span>
    </>
  );
}

/** Recovery codes that the user must store: by copying, saving or printing them. Then the user can continue. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const heading = text('recovery.file', { name: pageData.Name });
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
          icon="download"
          onClick={() => saveFile('recovery-codes.txt', 'text/plain', `${heading}\n\n${lines}\n`)}
        >
          {text('recovery.download')}
        </Button>
        <Button icon="print" onClick={() => print()}>
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
