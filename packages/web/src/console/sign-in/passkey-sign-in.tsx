import { call, type Problem } from '../../ui/api/api.ts';
import { forgetUnknownPasskey } from '../../ui/passkey/forget-unknown-passkey.ts';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { signWithPasskey } from '../../ui/passkey/passkey.ts';
import type { Explanations } from '../../ui/api/problem-text.ts';
import { useWords } from '../text.ts';
import { takeStep, type Step } from './step.ts';

interface PasskeyChallenge {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

interface PasskeySignInProps {
  explanations: Explanations;
  onStep: (step: Step) => void;
}

/** Sign-in with a passkey. It needs no email, no password and no second factor. */
export function PasskeySignIn({ explanations, onStep }: PasskeySignInProps) {
  const words = useWords();
  const signIn = async (): Promise<Problem | undefined> => {
    const challenge = await call<PasskeyChallenge>('POST', '/console/session/passkey');
    if (!challenge.ok) return challenge.problem;
    const { PasskeyToken, Options } = challenge.value;
    const Credential = await signWithPasskey(Options);
    if (Credential === undefined) return undefined;
    const problem = await takeStep({ PasskeyToken, Credential }, onStep);
    if (problem) forgetUnknownPasskey(problem, Options.rpId, Credential);
    return problem;
  };
  return (
    <PasskeyButton
      label={words('login.passkey')}
      failed={words('login.passkey.failed')}
      explanations={explanations}
      onPress={signIn}
    />
  );
}
