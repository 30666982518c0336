import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { usePageData } from '../../ui/page-data.ts';
import { useAccountOptions } from '../account-options.ts';
import { CodeStep } from './code-step.tsx';
import { ConditionStep } from './condition-step.tsx';
import { CredentialsStep } from './credentials-step.tsx';
import { destinationOf, isOwnPage } from './destination.ts';
import type { Step } from './login-answer.ts';
import { RecoveryCodesStep } from './recovery-codes-step.tsx';
import { SetUpStep } from './set-up-step.tsx';
import { SignedInStep } from './signed-in-step.tsx';

/** Signing in, one question after another. */
export function LoginPage() {
  const options = useAccountOptions();
  const { AppUrl } = usePageData();
  const { query, route } = useLocation();
  const [step, setStep] = useState<Step>({ kind: 'credentials' });
  const [keep, setKeep] = useState(false);
  const { returnUrl } = query;
  const destination = destinationOf(returnUrl, options?.ReturnUrl, AppUrl);
  // Whether the service allows an address is known once it has said what it offers.
  const isSure = returnUrl === undefined || options !== undefined || isOwnPage(returnUrl);
  useEffect(() => {
    if (step.kind !== 'done' || !isSure) return;
    if (isOwnPage(destination)) route(destination, true);
    else location.assign(destination);
  }, [step, destination, isSure]);
  switch (step.kind) {
    case 'credentials':
      return <CredentialsStep options={options} onStep={setStep} onKeep={setKeep} />;
    case 'code':
      return <CodeStep token={step.token} keep={keep} onStep={setStep} />;
    case 'set-up':
      return <SetUpStep token={step.token} setup={step.setup} keep={keep} onStep={setStep} />;
    case 'recovery-codes':
      return <RecoveryCodesStep codes={step.codes} onDone={() => setStep({ kind: 'done' })} />;
    case 'condition':
      return <ConditionStep status={step.status} onAgain={() => setStep({ kind: 'credentials' })} />;
    case 'done':
      return <SignedInStep destination={destination} />;
  }
}
