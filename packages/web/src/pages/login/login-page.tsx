import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { usePageData } from '../../ui/api/page-data.ts';
import { useAccountOptions } from '../account-options.ts';
import { CodeStep } from './steps/code-step.tsx';
import { ConditionStep } from './steps/condition-step.tsx';
import { CredentialsStep } from './steps/credentials-step.tsx';
import { ExistsStep } from './steps/exists-step.tsx';
import { destinationOf, isAuthorization, isOwnPage, type Return } from './destination.ts';
import { useReturn } from './use-return.ts';
import type { Step } from './login-answer.ts';
import { MailSteps, useLinkedStep } from './email/mail-steps.tsx';
import { OfferStep } from './steps/offer-step.tsx';
import { shouldOfferPasskey } from './passkey/passkey-offer.ts';
import { RecoveryCodesStep } from './steps/recovery-codes-step.tsx';
import { SetUpStep } from './steps/set-up-step.tsx';
import { SignOnStep } from './steps/sign-on-step.tsx';
import { SignedInStep } from './steps/signed-in-step.tsx';
import { useSignOn } from './sign-on/use-sign-on.ts';
import { call } from '../../ui/api/api.ts';

/** The sign-in, step by step. */
export function LoginPage() {
  const signOn = useSignOn((next) => setStep(next));
  const linked = useLinkedStep((opened) => setStep(opened));
  const [step, setStep] = useState<Step>(linked ?? { kind: signOn.isUnderWay ? 'sign-on' : 'credentials' });
  const [keep, setKeep] = useState(false);
  const back = useReturn(step, signOn.back);
  const { returnUrl } = back;
  const options = useAccountOptions(returnUrl !== undefined && isOwnPage(returnUrl) ? undefined : returnUrl);
  const destination = useLeaving(step, back, options);
  // No offer if an app has sent the visitor here: it would delay the return to the app.
  const isOfferable =
    options?.Passkeys === true &&
    (returnUrl === undefined || (isOwnPage(returnUrl) && !isAuthorization(returnUrl)));
  useEffect(() => {
    if (step.kind !== 'signed-in') return;
    void (isOfferable ? shouldOfferPasskey(() => localStorage) : Promise.resolve(false)).then((is) =>
      setStep({ kind: is ? 'offer' : 'done' }),
    );
  }, [step]);
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
    case 'email':
    case 'mail-code':
    case 'elsewhere':
      return (
        <MailSteps step={step} onStep={setStep} keep={keep} onKeep={setKeep} sessionTag={back.sessionTag} />
      );
    case 'code':
      return <CodeStep token={step.token} factors={step.factors} keep={keep} onStep={setStep} />;
    case 'set-up':
      return <SetUpStep token={step.token} setup={step.setup} keep={keep} onStep={setStep} />;
    case 'recovery-codes':
      return <RecoveryCodesStep codes={step.codes} onDone={() => setStep({ kind: 'done' })} />;
    case 'exists':
      return <ExistsStep exists={step.exists} keep={keep} viaSignOn={signOn.takeOver} onStep={setStep} />;
    case 'condition':
      return (
        <ConditionStep status={step.status} ban={step.ban} onAgain={() => setStep({ kind: 'credentials' })} />
      );
    case 'offer':
      return <OfferStep onStep={setStep} />;
    case 'signed-in':
    case 'done':
      return <SignedInStep destination={destination} />;
  }
}

/** Leaves the page once the sign-in is done. Returns where to. */
function useLeaving(step: Step, back: Return, options: ReturnType<typeof useAccountOptions>): string {
  const { AppUrl } = usePageData();
  const { route } = useLocation();
  const { returnUrl } = back;
  const destination = destinationOf(returnUrl, options?.ReturnUrl, AppUrl);
  // Whether the service allows a return address is only known when the options are loaded.
  const isSure = returnUrl === undefined || options !== undefined || isOwnPage(returnUrl);
  useEffect(() => {
    if (step.kind !== 'done' || !isSure) return;
    if (isOwnPage(destination)) route(destination, true);
    else
      void addressWithSession(destination, options?.ReturnUrl, back).then((address) =>
        location.assign(address),
      );
  }, [step, destination, isSure]);
  return destination;
}

/**
 * The address of an app on another origin, with a code after the `#` that its server may exchange for this session
 * (docs/browser-sessions.md). Returned unchanged if the service does not allow it or returns no code. An address with
 * an app's own URL scheme gets no code, because any app on the device may register that scheme (RFC 8252 §7.1). The app's
 * `state` comes back to it, and its `codeChallenge` ties the code to its server.
 *
 * @param allowed the address, if the service allows it.
 */
async function addressWithSession(
  destination: string,
  allowed: string | undefined,
  { state, codeChallenge }: Return,
): Promise<string> {
  if (destination !== allowed || !/^https?:/i.test(destination)) return destination;
  if (new URL(destination).origin === location.origin) return destination;
  const result = await call<{ Url: string }>('POST', '/account/handover', {
    ReturnUrl: destination,
    State: state,
    CodeChallenge: codeChallenge,
  });
  return result.ok ? result.value.Url : destination;
}
