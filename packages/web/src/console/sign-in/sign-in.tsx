import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Page } from '../../ui/layout/page.tsx';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import type { SessionExists } from '../../ui/session-exists/session-exists.ts';
import type { Me } from '../api/console-context.ts';
import { useWords, type TextKey } from '../text.ts';
import { CredentialsStep } from './credentials-step.tsx';
import { ExistsStep } from './exists-step.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import type { Step } from './step.ts';

interface SignInProps {
  /** Why the last session has ended. */
  because: Problem | undefined;
  /** Why a sign-on at an identity provider failed. */
  failure: TextKey | undefined;
  /** What a sign-on found that has to end another session first. */
  exists: SessionExists | undefined;
  onSignedIn: (me: Me) => void;
}

/** The sign-in to the console, step by step. Afterwards the screen at the current address is shown. */
export function SignIn({ because, failure, exists, onSignedIn }: SignInProps) {
  const words = useWords();
  const [step, setStep] = useState<Step>(
    exists === undefined ? { kind: 'credentials' } : { kind: 'exists', exists, isSignOn: true },
  );
  const onStep = (next: Step): void => (next.kind === 'done' ? onSignedIn(next.me) : setStep(next));
  switch (step.kind) {
    case 'credentials':
      return <CredentialsStep because={because} failure={failure} onStep={onStep} />;
    case 'second-factor':
      return <SecondFactorStep step={step} onStep={onStep} />;
    case 'exists':
      return <ExistsStep step={step} onStep={onStep} />;
    case 'recovery-codes':
      return (
        <Page title={words('recovery.title')} lead={words('recovery.lead')}>
          <RecoveryCodes codes={step.codes} onDone={() => onSignedIn(step.me)} />
        </Page>
      );
    case 'done':
      return null;
  }
}
