import { useState } from 'preact/hooks';
import { call, post, type Problem } from '../../ui/api.ts';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { answerChallenge, forgetUnknownPasskey } from '../../sign-in/passkey.ts';
import { AddressHint, PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { type FactorStep, factorStepOf } from '../../sign-in/second-factor.ts';
import { RecoveryCodesPage, SecondFactorPage } from '../../sign-in/second-factor-page.tsx';
import { type SessionExists, sessionExistsIn } from '../../sign-in/session-exists.ts';
import { SessionExistsPage } from '../../sign-in/session-exists-page.tsx';
import type { Answer, Me } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { ProviderButtons, useSignInOptions } from './sign-on.tsx';

interface SignInProps {
  /** Why the last session has ended. */
  because: Problem | undefined;
  /** Why a sign-on at an identity provider failed. */
  failure: string | undefined;
  /** What a sign-on found that has to end another session first. */
  exists: SessionExists | undefined;
  onSignedIn: (me: Me) => void;
}

/** The sign-in to the console, step by step. Afterwards the screen at the current address is shown. */
export function SignIn({ because, failure, exists, onSignedIn }: SignInProps) {
  const [step, setStep] = useState<Step>(
    exists === undefined ? { kind: 'credentials' } : { kind: 'exists', exists, isSignOn: true },
  );
  const onStep = (next: Step): void => (next.kind === 'done' ? onSignedIn(next.me) : setStep(next));
  switch (step.kind) {
    case 'credentials':
      return <CredentialsStep because={because} failure={failure} onStep={onStep} />;
    case 'second-factor':
    case 'two-factor-setup':
      return (
        <SecondFactorPage
          step={step}
          send={(fields) => takeStep(fields, onStep)}
          onAgain={() => setStep({ kind: 'credentials' })}
        />
      );
    case 'exists':
      return <ExistsStep step={step} onStep={onStep} />;
    case 'recovery-codes':
      return <RecoveryCodesPage codes={step.codes} onDone={() => onSignedIn(step.me)} />;
    case 'done':
      return null;
  }
}

type Step =
  | { kind: 'credentials' }
  | FactorStep
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
    const step = factorStepOf(value);
    if (step) onStep(step);
    return undefined;
  }
  const { RecoveryCodes: codes, ...me } = value;
  onStep(codes === undefined ? { kind: 'done', me } : { kind: 'recovery-codes', codes, me });
  return undefined;
}

interface CredentialsStepProps extends Pick<SignInProps, 'because' | 'failure'> {
  onStep: (step: Step) => void;
}

/** The first step: email and password, or the methods that need neither. */
function CredentialsStep({ because, failure, onStep }: CredentialsStepProps) {
  const options = useSignInOptions();
  return (
    <Page title={words('signIn.title')} lead={words('signIn.lead')}>
      {failure === undefined ? (
        <EndingNotice because={because} />
      ) : (
        <Notice meaning="danger">{failure}</Notice>
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
          autofocus={failure === undefined && reasonOf(because) === undefined}
        />
        <PasswordField name="Password" label={words('field.password')} purpose="current" />
      </Form>
      {options?.Passkeys && (
        <>
          <PasskeySignIn onStep={onStep} />
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
  account_disabled: 'signOn.failed.account_disabled',
  account_expired: 'signOn.failed.account_expired',
  new_password_required: 'signOn.failed.new_password_required',
  signup_pending: 'signOn.failed.signup_pending',
  migration_pending: 'signOn.failed.migration_pending',
  email_confirmation_pending: 'signOn.failed.email_confirmation_pending',
  invitation_pending: 'signOn.failed.invitation_pending',
} as const;

function EndingNotice({ because }: { because: Problem | undefined }) {
  const key = reasonOf(because);
  if (key === undefined) return null;
  const by = because?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | undefined; // docs/sessions.md
  const device = by?.DeviceName ?? by?.UserAgent;
  const at =
    by?.At && new Intl.DateTimeFormat(pageData.Locale, { timeStyle: 'short' }).format(new Date(by.At));
  return (
    <Notice meaning="warning">
      <p>{words(key)}</p>
      {device && at && <p>{words('signIn.ended.by', { device, time: at })}</p>}
    </Notice>
  );
}

function reasonOf(because: Problem | undefined): TextKey | undefined {
  return because && REASONS[because.code];
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

/** Needs no email, no password and no second factor. */
function PasskeySignIn({ onStep }: Pick<CredentialsStepProps, 'onStep'>) {
  const signIn = () =>
    answerChallenge(call('POST', '/console/session/passkey'), async (signed, rpId) => {
      const problem = await takeStep(signed, onStep);
      if (problem) forgetUnknownPasskey(problem, rpId, signed.Credential);
      return problem;
    });
  return (
    <PasskeyButton
      label={words('login.passkey')}
      failed={words('login.passkey.failed')}
      explanations={EXPLANATIONS}
      onPress={signIn}
    />
  );
}

interface ExistsStepProps extends Pick<CredentialsStepProps, 'onStep'> {
  step: Extract<Step, { kind: 'exists' }>;
}

function ExistsStep({ step: { exists, isSignOn }, onStep }: ExistsStepProps) {
  const exchange = () =>
    post('/console/handover/exchange', { SignOnCode: exists.token }, (me: Me) =>
      onStep({ kind: 'done', me }),
    );
  return (
    <SessionExistsPage
      exists={exists}
      onTakeOver={() => (isSignOn === true ? exchange() : takeStep({ TakeOverToken: exists.token }, onStep))}
      onAgain={() => onStep({ kind: 'credentials' })}
    />
  );
}
