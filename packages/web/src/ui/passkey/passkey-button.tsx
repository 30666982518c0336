import { useState } from 'preact/hooks';
import type { Problem } from '../api/api.ts';
import { Button } from '../form/button.tsx';
import { useCountdown } from '../countdown.ts';
import { useText } from '../locale/locale.ts';
import { Notice } from '../layout/notice.tsx';
import { canUsePasskeys } from './passkey.ts';
import { problemText, type Explanations } from '../api/problem-text.ts';

interface PasskeyButtonProps {
  /** What it does. */
  label: string;
  /** What is said where the passkey was not accepted. */
  failed: string;
  kind?: 'primary' | 'quiet';
  explanations?: Explanations;
  /** What stood in the way of a passkey that was shown otherwise. */
  earlier?: Problem | undefined;
  /** Asks for the passkey and sends what it signs; what stands in its way is shown above the button. */
  onPress: () => Promise<Problem | undefined>;
}

/** Has somebody show a passkey: nothing is typed. Nothing where none can be used. */
export function PasskeyButton({
  label,
  failed,
  kind = 'quiet',
  explanations,
  earlier,
  onPress,
}: PasskeyButtonProps) {
  const text = useText();
  const [isBusy, setBusy] = useState(false);
  const [own, setProblem] = useState<Problem>();
  const problem = own ?? earlier;
  const [secondsLeft, startWaiting] = useCountdown();
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    const found = await onPress();
    setBusy(false);
    setProblem(found);
    startWaiting(found?.retryAfterSeconds ?? 0);
  };
  if (!canUsePasskeys()) return null;
  return (
    <>
      {problem && (
        <Notice meaning="danger">
          <p>{REFUSED.has(problem.code) ? failed : problemText(problem, text, explanations)}</p>
        </Notice>
      )}
      <Button wide kind={kind} busy={isBusy || secondsLeft > 0} onClick={() => void press()}>
        {secondsLeft > 0 ? text('form.wait', { seconds: secondsLeft }) : label}
      </Button>
    </>
  );
}

/** Codes of a passkey that was not accepted: at a login, and to confirm who it is. */
const REFUSED: ReadonlySet<string> = new Set(['authentication_failed', 'wrong_code']);
