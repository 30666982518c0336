import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type Problem } from '../ui/api/api.ts';
import { Button } from '../ui/form/button.tsx';
import { useCountdown } from '../ui/countdown.ts';
import { useText, type MessageKey } from '../ui/locale/locale.ts';
import { Notice } from '../ui/layout/notice.tsx';
import { problemText } from '../ui/api/problem-text.ts';
import { SecondaryActions } from '../ui/layout/secondary-actions.tsx';

interface SendAgainProps {
  /** The API path that sends the mail. Its response is the same whether or not the address has an account. */
  path: string;
  /** The recipient. If empty, the button is not shown. */
  email: string;
  words: { send: MessageKey; sent: MessageKey };
  /** Whether this is the main action of the page. */
  primary?: boolean;
  /** The other actions of the page. */
  children: ComponentChildren;
}

/** How long to wait for a mail before another one may be sent. */
const PAUSE_SECONDS = 30;

/** A button that sends a mail again. */
export function SendAgain({ path, email, words, primary = false, children }: SendAgainProps) {
  const text = useText();
  const [outcome, setOutcome] = useState<Problem | 'sent'>();
  const [secondsLeft, startWaiting] = useCountdown();
  const send = async (): Promise<void> => {
    const result = await call('POST', path, { Email: email });
    setOutcome(result.ok ? 'sent' : result.problem);
    startWaiting(result.ok ? PAUSE_SECONDS : (result.problem.retryAfterSeconds ?? 0));
  };
  const button = email !== '' && (
    <Button kind={primary ? 'primary' : 'text'} wide={primary} waits={secondsLeft > 0} onClick={send}>
      {secondsLeft > 0 ? text('again.wait', { seconds: secondsLeft }) : text(words.send)}
    </Button>
  );
  return (
    <>
      {outcome === 'sent' && <Notice meaning="success">{text(words.sent, { email })}</Notice>}
      {outcome !== undefined && outcome !== 'sent' && (
        <Notice meaning="danger">{problemText(outcome, text)}</Notice>
      )}
      {primary && button}
      <SecondaryActions>
        {!primary && button}
        {children}
      </SecondaryActions>
    </>
  );
}
