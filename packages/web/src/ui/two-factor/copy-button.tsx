import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../form/button.tsx';
import { CheckIcon, CopyIcon } from '../icon.tsx';
import { useText } from '../locale/locale.ts';

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ value, children }: { value: string; children: ComponentChildren }) {
  const text = useText();
  const [state, setState] = useState<'fresh' | 'copied' | 'failed'>('fresh');
  const copy = async (): Promise<void> => {
    // Without https there is no clipboard, except on localhost.
    const done = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setState(done ? 'copied' : 'failed');
  };
  return (
    <>
      <Button icon={state === 'copied' ? <CheckIcon /> : <CopyIcon />} onClick={() => void copy()}>
        {children}
      </Button>
      <span role="status">
        {state === 'copied' && text('copy.done')}
        {state === 'failed' && text('copy.failed')}
      </span>
    </>
  );
}
