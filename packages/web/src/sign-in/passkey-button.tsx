import { useState } from 'preact/hooks';
import { type Explanations, type Problem, problemText } from '../ui/api.ts';
import { Button } from '../ui/button.tsx';
import { useCountdown } from '../ui/form.tsx';
import { pageData, text } from '../ui/locale.ts';
import { canUsePasskeys, isAtAddress } from './passkey.ts';
import { Notice } from '../ui/notice.tsx';

interface PasskeyButtonProps {
  label: string;
  failed: string;
  kind?: 'primary' | 'quiet';
  explanations?: Explanations;
  /** The error of a passkey that was used in another way than by this button. */
  earlier?: Problem | undefined;
  /** Requests a signature from the passkey and sends it. The returned error is shown above the button. */
  onPress: () => Promise<Problem | undefined>;
}

/** A button for a passkey, or why there is none at an IP address. */
export function PasskeyButton(props: PasskeyButtonProps) {
  const { label, failed, kind = 'quiet', explanations, earlier, onPress } = props;
  const [own, setProblem] = useState<Problem>();
  const problem = own ?? earlier;
  const [secondsLeft, startWaiting] = useCountdown();
  const press = async (): Promise<void> => {
    setProblem(undefined);
    const found = await onPress();
    setProblem(found);
    startWaiting(found?.retryAfterSeconds ?? 0);
  };
  if (!canUsePasskeys()) return <AddressHint />;
  return (
    <>
      {problem && (
        <Notice meaning="danger">
          {REFUSED.has(problem.code) ? failed : problemText(problem, text, explanations)}
        </Notice>
      )}
      <Button
        wide
        kind={kind}
        icon="passkey"
        busyWords={text('passkey.waiting')}
        waits={secondsLeft > 0}
        onClick={press}
      >
        {secondsLeft > 0 ? text('form.wait', { seconds: secondsLeft }) : label}
      </Button>
    </>
  );
}

/** The error codes of a passkey that was not accepted: at a login, and as a proof of identity. */
const REFUSED: ReadonlySet<string> = new Set(['authentication_failed', 'wrong_code']);

/** At an IP address: says that passkeys need a host name, and links to the configured URL, never to the current one. */
export function AddressHint() {
  const { PublicUrl, ConsoleUrl } = pageData;
  if (!isAtAddress()) return null;
  const url = ConsoleUrl ?? PublicUrl;
  const hasName = url !== undefined && !isAtAddress(new URL(url).hostname);
  const named = hasName ? `${url.replace(/\/$/, '')}${location.pathname}` : undefined;
  return (
    <p>
      {text('passkey.address')}{' '}
      {named !== undefined && (
        <a href={`${named}${location.search}`}>{text('passkey.address.open', { address: named })}</a>
      )}
    </p>
  );
}
