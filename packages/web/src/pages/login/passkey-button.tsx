import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { useText } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { knowsPasskeys, signWithPasskey, type PasskeyJson } from '../../ui/passkey.ts';
import { problemText } from '../../ui/problem-text.ts';
import { handOn, type LoginAnswer, type Step } from './login-answer.ts';

interface Asked {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

/** Signing in with a passkey: nothing is typed. */
export function PasskeyButton({ keep, onStep }: { keep: boolean; onStep: (step: Step) => void }) {
  const text = useText();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const signIn = async (): Promise<Problem | undefined> => {
    const asked = await call<Asked>('POST', '/account/login/passkey', {});
    if (!asked.ok) return asked.problem;
    const { PasskeyToken, Options } = asked.value;
    const Credential = await signWithPasskey(Options);
    if (Credential === undefined) return undefined;
    const body = { PasskeyToken, Credential, Delivery: 'Cookie', KeepSignedIn: keep };
    const result = await call<LoginAnswer>('POST', '/account/login', body);
    if (!result.ok) forgetUnknown(result.problem, Options.rpId, Credential);
    return handOn(result, onStep);
  };
  const ask = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProblem(await signIn());
    setBusy(false);
  };
  if (!knowsPasskeys()) return null;
  return (
    <>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, { authentication_failed: 'login.passkey.failed' })}</p>
        </Notice>
      )}
      <Button wide busy={isBusy} onClick={() => void ask()}>
        {text('login.passkey')}
      </Button>
    </>
  );
}

/** Has the browser forget a passkey that is no account's any more; and no other, which would be lost. */
function forgetUnknown(problem: Problem, rpId: string | undefined, { id }: PasskeyJson): void {
  if (!problem.errors.some(({ pointer }) => pointer === '/Credential/id')) return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal === 'function') void signal.call(PublicKeyCredential, { rpId, credentialId: id });
}
