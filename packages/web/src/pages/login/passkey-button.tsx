import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { useText, type MessageKey } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { knowsPasskeys } from '../../ui/passkey.ts';
import { problemText } from '../../ui/problem-text.ts';

interface PasskeyButtonProps {
  words: MessageKey;
  /** Said where the passkey was refused. */
  failed: MessageKey;
  kind?: 'primary' | 'quiet';
  /** What stood in the way of a passkey that was shown otherwise. */
  earlier?: Problem | undefined;
  /** Asks for the passkey and sends what it signs; what stands in its way is shown above the button. */
  onPress: () => Promise<Problem | undefined>;
}

/** Has somebody show a passkey: nothing is typed. Nothing in browsers that know none. */
export function PasskeyButton({ words, failed, kind = 'quiet', earlier, onPress }: PasskeyButtonProps) {
  const text = useText();
  const [own, setProblem] = useState<Problem>();
  const problem = own ?? earlier;
  const [isBusy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProblem(await onPress());
    setBusy(false);
  };
  if (!knowsPasskeys()) return null;
  return (
    <>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, { authentication_failed: failed })}</p>
        </Notice>
      )}
      <Button kind={kind} wide busy={isBusy} onClick={() => void press()}>
        {text(words)}
      </Button>
    </>
  );
}
