import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { usePageData } from '../../ui/api/page-data.ts';
import { useAccountOptions } from '../account-options.ts';
import { addressWithSession } from './address-with-session.ts';
import { CodeStep } from './steps/code-step.tsx';
import { ConditionStep } from './steps/condition-step.tsx';
import { CredentialsStep } from './steps/credentials-step.tsx';
import { destinationOf, isOwnPage, returnIn } from './destination.ts';
import type { Step } from './login-answer.ts';
import { OfferStep } from './steps/offer-step.tsx';
import { shouldOfferPasskey } from './passkey/passkey-offer.ts';
import { RecoveryCodesStep } from './steps/recovery-codes-step.tsx';
import { SetUpStep } from './steps/set-up-step.tsx';
import { SignOnStep } from './steps/sign-on-step.tsx';
import { SignedInStep } from './steps/signed-in-step.tsx';
import { useSignOn } from './sign-on/use-sign-on.ts';

/** The sign-in, step by step. */
export function LoginPage() {
  const { AppUrl } = usePageData();
  const { query, route } = useLocation();
  const signOn = useSignOn((isSignedIn) => setStep({ kind: isSignedIn ? 'done' : 'credentials' }));
  const [step, setStep] = useState<Step>({ kind: signOn.isUnderWay ? 'sign-on' : 'credentials' });
  const [keep, setKeep] = useState(false);
  const back = signOn.back ?? returnIn(query);
  const { returnUrl } = back;
  const options = useAccountOptions(returnUrl);
  const destination = destinationOf(returnUrl, options?.ReturnUrl, AppUrl);
  // Whether the service allows a return address is only known when the options are loaded.
  const isSure = returnUrl === undefined || options !== undefined || isOwnPage(returnUrl);
  // No offer if an app has sent the visitor here: it would delay the return to the app.
  const isOfferable = options?.Passkeys === true && (returnUrl === undefined || isOwnPage(returnUrl));
  useEffect(() => {
    if (step.kind !== 'signed-in') return;
    void (isOfferable ? shouldOfferPasskey(() => localStorage) : Promise.resolve(false)).then((is) =>
      setStep({ kind: is ? 'offer' : 'done' }),
    );
  }, [step]);
  useEffect(() => {
    if (step.kind !== 'done' || !isSure) return;
    if (isOwnPage(destination)) route(destination, true);
    else
      void addressWithSession(destination, options?.ReturnUrl, back).then((address) =>
        location.assign(address),
      );
  }, [step, destination, isSure]);
  switch (step.kind) {
    case 'credentials':
      return (
        <CredentialsStep
          options={options}
          onStep={setStep}
          keep={keep}
          onKeep={setKeep}
          back={back}
          failure={signOn.failure}
        />
      );
    case 'sign-on':
      return <SignOnStep />;
    case 'code':
      return <CodeStep token={step.token} factors={step.factors} keep={keep} onStep={setStep} />;
    case 'set-up':
      return <SetUpStep token={step.token} setup={step.setup} keep={keep} onStep={setStep} />;
    case 'recovery-codes':
      return <RecoveryCodesStep codes={step.codes} onDone={() => setStep({ kind: 'done' })} />;
    case 'condition':
      return <ConditionStep status={step.status} onAgain={() => setStep({ kind: 'credentials' })} />;
    case 'offer':
      return <OfferStep onStep={setStep} />;
    case 'signed-in':
    case 'done':
      return <SignedInStep destination={destination} />;
  }
}
