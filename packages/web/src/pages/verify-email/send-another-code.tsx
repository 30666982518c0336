import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { useCountdown } from '../../ui/countdown.ts';
import { useText } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { problemText } from '../../ui/problem-text.ts';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { PATHS } from '../paths.ts';

/** How long to wait for a mail before another makes sense. */
const PAUSE_SECONDS = 30;

/** Another code by mail; the answer is the same for every address. Without an address there is nobody to send it to. */
export function SendAnotherCode({ email }: { email: string }) {
  const text = useText();
  const [outcome, setOutcome] = useState<Problem | 'sent'>();
  const [secondsLeft, startWaiting] = useCountdown();
  const send = async (): Promise<void> => {
    const result = await call('POST', '/account/resend-verification', { Email: email });
    setOutcome(result.ok ? 'sent' : result.problem);
    startWaiting(result.ok ? PAUSE_SECONDS : (result.problem.retryAfterSeconds ?? 0));
  };
  return (
    <>
      {outcome === 'sent' && <Notice meaning="success">{text('verify.another.sent', { email })}</Notice>}
      {outcome !== undefined && outcome !== 'sent' && (
        <Notice meaning="danger">{problemText(outcome, text)}</Notice>
      )}
      <QuietWays>
        {email !== '' && (
          <Button kind="text" busy={secondsLeft > 0} onClick={() => void send()}>
            {secondsLeft > 0 ? text('verify.another.wait', { seconds: secondsLeft }) : text('verify.another')}
          </Button>
        )}
        <a href={PATHS.login}>{text('ways.login')}</a>
      </QuietWays>
    </>
  );
}
