import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { deviceName } from '../../pages/device.ts';
import { call, type Explanations, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { usePageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { canUsePasskeys, forgetUnknownPasskey, isAtAddress, signWithPasskey } from '../../sign-in/passkey.ts';
import { AddressHint, PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { type SessionExists, sessionExistsIn } from '../../sign-in/session-exists.ts';
import { SessionExistsPage } from '../../sign-in/session-exists-page.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../../ui/two-factor.tsx';
import type { Answer, Me } from '../api/call-api.ts';
import { type TextKey, useWords } from '../text.ts';
import { ProviderButtons, useSignInOptions } from './sign-on.tsx';

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

export interface Setup {
  Secret: string;
  OtpAuthUri: string;
}

/** The kinds of second factors. */
export type SecondFactor = 'Totp' | 'RecoveryCode' | 'Passkey';

/** The challenge that one of the account's passkeys must sign. */
export type PasskeyOptions = PublicKeyCredentialRequestOptionsJSON;

/** The present step of the sign-in. */
export type Step =
  | { kind: 'credentials' }
  | {
      kind: 'second-factor';
      token: string;
      factors: readonly SecondFactor[];
      passkey?: PasskeyOptions | undefined;
      setup?: Setup;
    }
  | { kind: 'recovery-codes'; codes: readonly string[]; me: Me }
  | { kind: 'exists'; exists: SessionExists; isSignOn?: boolean }
  | { kind: 'done'; me: Me };

/** Sends a step to the API, and passes the next step to `onStep`. Returns the problem if the API refuses. */
async function takeStep(body: object, onStep: (step: Step) => void): Promise<Problem | undefined> {
  const result = await call<Answer<'POST /console/session'>>('POST', '/console/session', body);
  if (!result.ok) {
    const exists = sessionExistsIn(result.problem);
    if (exists !== undefined) onStep({ kind: 'exists', exists });
    return exists === undefined ? result.problem : undefined;
  }
  const { value } = result;
  if ('TwoFactorToken' in value) {
    onStep({ kind: 'second-factor', token: value.TwoFactorToken, ...factorsOf(value) });
    return undefined;
  }
  const { RecoveryCodes: codes, ...me } = value;
  onStep(codes === undefined ? { kind: 'done', me } : { kind: 'recovery-codes', codes, me });
  return undefined;
}

/** The second factors that the account can use. If it has none, an authenticator app must be set up. */
function factorsOf(value: Exclude<Answer<'POST /console/session'>, Me>) {
  if ('TwoFactorSetup' in value) return { factors: [], setup: value.TwoFactorSetup };
  const { SecondFactors, PasskeyOptions: options } = value;
  // The browser's type has mutable arrays, but browsers do not modify the options.
  return { factors: SecondFactors, passkey: options as PasskeyOptions | undefined };
}

interface CredentialsStepProps {
  because: Problem | undefined;
  failure: TextKey | undefined;
  onStep: (step: Step) => void;
}

/** The first step: email and password, or the methods that need neither. */
function CredentialsStep({ because, failure, onStep }: CredentialsStepProps) {
  const words = useWords();
  const options = useSignInOptions();
  useEffect(() => {
    // Unless somebody is elsewhere on the page already.
    if (document.activeElement === document.body) document.getElementsByName('Username')[0]?.focus();
  }, []);
  return (
    <Page title={words('signIn.title')} lead={words('signIn.lead')}>
      {failure === undefined ? (
        <EndingNotice because={because} />
      ) : (
        <Notice meaning="danger">
          <p>{words(failure)}</p>
        </Notice>
      )}
      <Form
        submit={words('signIn.submit')}
        explanations={EXPLANATIONS}
        onSubmit={({ Username, Password }) => takeStep({ Username, Password }, onStep)}
      >
        <Field
          name="Username"
          label={words('field.email')}
          type="email"
          inputMode="email"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <PasswordField name="Password" label={words('field.password')} purpose="current" />
      </Form>
      {options?.Passkeys && (
        <>
          <PasskeySignIn explanations={EXPLANATIONS} onStep={onStep} />
          <AddressHint />
        </>
      )}
      {options && <ProviderButtons options={options} />}
      {options?.SingleSession && <p class="quiet">{words('signIn.single')}</p>}
      {options && (
        <SecondaryActions>
          <a href={`${options.PublicUrl.replace(/\/$/, '')}/forgot-password`}>{words('login.forgot')}</a>
        </SecondaryActions>
      )}
    </Page>
  );
}

const EXPLANATIONS = {
  authentication_failed: 'login.failed',
  forbidden: 'login.notAdministrator',
  account_disabled: 'signOn.account_disabled',
  account_expired: 'signOn.account_expired',
  new_password_required: 'signOn.new_password_required',
  signup_pending: 'signOn.signup_pending',
  migration_pending: 'signOn.migration_pending',
  email_confirmation_pending: 'signOn.email_confirmation_pending',
  invitation_pending: 'signOn.invitation_pending',
} as const;

/** Says why the last session has ended. */
function EndingNotice({ because }: { because: Problem | undefined }) {
  const words = useWords();
  const { Locale } = usePageData();
  const key = because && REASONS[because.code];
  if (key === undefined) return null;
  const by = because?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | undefined; // docs/sessions.md
  const device = by?.DeviceName ?? by?.UserAgent;
  const at = by?.At && new Intl.DateTimeFormat(Locale, { timeStyle: 'short' }).format(new Date(by.At));
  return (
    <Notice meaning="warning">
      <p>{words(key)}</p>
      {device && at && <p>{words('signIn.ended.by', { device, time: at })}</p>}
    </Notice>
  );
}

/** The problem codes that have a notice. A first visit has none of these, so there is no notice. */
const REASONS: Readonly<Partial<Record<string, TextKey>>> = {
  session_replaced: 'signIn.ended.replaced',
  session_deactivated: 'signIn.ended.deactivated',
  session_expired: 'signIn.ended.expired',
  session_ended: 'signIn.ended.ended',
  forbidden: 'signIn.ended.forbidden',
  token_invalid: 'signIn.ended.ended',
};

interface PasskeyChallenge {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

interface PasskeySignInProps {
  explanations: Explanations;
  onStep: (step: Step) => void;
}

/** Sign-in with a passkey. It needs no email, no password and no second factor. */
function PasskeySignIn({ explanations, onStep }: PasskeySignInProps) {
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

interface SecondFactorStepProps {
  step: Extract<Step, { kind: 'second-factor' }>;
  onStep: (step: Step) => void;
}

/** The second factor: one of those that the account has, the easiest one first. */
function SecondFactorStep({ step, onStep }: SecondFactorStepProps) {
  const words = useWords();
  const { token, setup, factors, passkey } = step;
  const [selected, setSelected] = useState(() => firstOf(factors));
  const alternatives = (
    <>
      {factors
        .filter((factor) => factor !== selected)
        .map((factor) => (
          <Button key={factor} kind="text" onClick={() => setSelected(factor)}>
            {words(USE[factor])}
          </Button>
        ))}
      <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
        {words('login.again')}
      </Button>
    </>
  );
  if (selected === 'Passkey' && passkey)
    return (
      <PasskeyStep token={token} options={passkey} onStep={onStep}>
        {alternatives}
      </PasskeyStep>
    );
  return (
    <CodeStep
      key={selected}
      token={token}
      setup={setup}
      isRecovery={selected === 'RecoveryCode'}
      onStep={onStep}
    >
      {alternatives}
    </CodeStep>
  );
}

const USE = {
  Passkey: 'login.passkey.use',
  Totp: 'login.code.use',
  RecoveryCode: 'login.recovery.use',
} as const;

/** A passkey if this browser supports it, else the authenticator app, else a recovery code. */
function firstOf(factors: readonly SecondFactor[]): SecondFactor | undefined {
  const usable = factors.filter((factor) => factor !== 'Passkey' || canUsePasskeys());
  const order = ['Passkey', 'Totp', 'RecoveryCode'] as const;
  return order.find((factor) => usable.includes(factor)) ?? factors[0];
}

interface PasskeyStepProps {
  token: string;
  options: PasskeyOptions;
  onStep: (step: Step) => void;
  /** Buttons for the other second factors, and to start again. */
  children: ComponentChildren;
}

/** The second factor: one of the account's passkeys. */
function PasskeyStep({ token, options, onStep, children }: PasskeyStepProps) {
  const words = useWords();
  return (
    <Page title={words('login.passkey.title')} lead={words('login.passkey.lead')}>
      {canUsePasskeys() ? (
        <PasskeyButton
          kind="primary"
          label={words('login.passkey.use')}
          failed={words('login.passkey.again')}
          onPress={async () => {
            const Credential = await signWithPasskey(options);
            return Credential && takeStep({ TwoFactorToken: token, Credential }, onStep);
          }}
        />
      ) : (
        <Notice meaning="warning">
          {isAtAddress() ? <AddressHint /> : <p>{words('signIn.passkey.unusable')}</p>}
        </Notice>
      )}
      <SecondaryActions>{children}</SecondaryActions>
    </Page>
  );
}

interface CodeStepProps {
  token: string;
  setup: Setup | undefined;
  isRecovery: boolean;
  onStep: (step: Step) => void;
  /** Buttons for the other second factors, and to start again. */
  children: ComponentChildren;
}

/** The second factor: a code of the authenticator app (the first one during its setup), or a recovery code. */
function CodeStep({ token, setup, isRecovery, onStep, children }: CodeStepProps) {
  const words = useWords();
  const about = setup ? 'setUp' : isRecovery ? 'login.recovery' : 'login.code';
  return (
    <Page title={words(`${about}.title`)} lead={words(`${about}.lead`)}>
      {setup && <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />}
      <Form
        submit={words(setup ? 'setUp.submit' : 'login.code.submit')}
        explanations={{ authentication_failed: isRecovery ? 'login.recovery.failed' : 'login.code.failed' }}
        onSubmit={({ TwoFactorCode }) => takeStep({ TwoFactorToken: token, TwoFactorCode }, onStep)}
      >
        <Field
          name="TwoFactorCode"
          label={words(isRecovery ? 'field.recoveryCode' : 'field.code')}
          code
          inputMode={isRecovery ? 'text' : 'numeric'}
          autocomplete={isRecovery ? 'off' : 'one-time-code'}
          required
        />
      </Form>
      <SecondaryActions>{children}</SecondaryActions>
    </Page>
  );
}

interface ExistsStepProps {
  step: Extract<Step, { kind: 'exists' }>;
  onStep: (step: Step) => void;
}

/** Asks whether to end the session that is in the way. */
function ExistsStep({ step: { exists, isSignOn }, onStep }: ExistsStepProps) {
  const [first] = exists.active;
  const exchange = async (): Promise<Problem | undefined> => {
    const result = await call<Me>('POST', '/console/handover/exchange', { SignOnCode: exists.token });
    if (!result.ok) return result.problem;
    onStep({ kind: 'done', me: result.value });
    return undefined;
  };
  return (
    <SessionExistsPage
      exists={exists}
      device={first && deviceName(first)}
      onTakeOver={() => (isSignOn === true ? exchange() : takeStep({ TakeOverToken: exists.token }, onStep))}
      onAgain={() => onStep({ kind: 'credentials' })}
    />
  );
}
