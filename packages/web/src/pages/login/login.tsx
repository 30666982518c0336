import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { PasskeyIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { useAccountOptions } from '../account-options.ts';
import { addPasskey } from '../security/passkeys.tsx';
import { ConditionStep, ExistsStep } from './conditions.tsx';
import { CredentialsStep } from './credentials.tsx';
import { destinationOf, isAuthorization, isOwnPage, type Return, useReturn } from './destination.ts';
import { MailSteps, useLinkedStep } from './mail-code.tsx';
import { shouldOfferPasskey } from './passkey-offer.ts';
import { CodeStep, RecoveryCodesStep, SetUpStep } from './second-factor.tsx';
import { useSignOn } from './sign-on.ts';
import type { Step } from './steps.ts';

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

/** Shown while the code of a sign-on is exchanged. */
function SignOnStep() {
  const text = useText();
  return (
    <Page title={text('login.title')} lead={text('login.lead')}>
      <p role="status">{text('own.loading')}</p>
    </Page>
  );
}

/** Offers a passkey after a sign-in by password, so that the next login needs no typing. */
function OfferStep({ onStep }: { onStep: (step: Step) => void }) {
  const text = useText();
  const [problem, setProblem] = useState<Problem>();
  const add = async (): Promise<void> => setProblem(await offered(onStep));
  return (
    <Page title={text('offer.title')} lead={text('offer.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text)}</p>
        </Notice>
      )}
      <Button kind="primary" wide icon={<PasskeyIcon />} busyWords={text('passkey.waiting')} onClick={add}>
        {text('passkey.add')}
      </Button>
      <Button wide onClick={() => onStep({ kind: 'done' })}>
        {text('offer.later')}
      </Button>
    </Page>
  );
}

/** The recent login is sufficient proof of identity. If the user or the browser cancels, no error is shown. */
async function offered(onStep: (step: Step) => void): Promise<Problem | undefined> {
  const added = await addPasskey({}, '');
  if (added === undefined) return undefined;
  if (!added.ok) return added.problem;
  const codes = added.value.RecoveryCodes;
  onStep(codes === undefined ? { kind: 'done' } : { kind: 'recovery-codes', codes });
  return undefined;
}

/** Shown until the next page has loaded. The link is for browsers that do not go there automatically. */
function SignedInStep({ destination }: { destination: string }) {
  const text = useText();
  return (
    <Page title={text('signedIn.title')} lead={text('signedIn.lead')}>
      <ButtonLink href={destination} kind="primary" wide>
        {text('signedIn.continue')}
      </ButtonLink>
    </Page>
  );
}
