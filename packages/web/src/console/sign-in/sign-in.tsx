import { useEffect, useState } from 'preact/hooks';
import { PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { answerChallenge, canUsePasskeys, forgetUnknownPasskey } from '../../sign-in/passkey.ts';
import { type FactorStep, factorStepOf, type SessionExists, sessionExistsIn } from '../../sign-in/answers.ts';
import { RecoveryCodesPage, SecondFactorPage, SessionExistsPage } from '../../sign-in/step-pages.tsx';
import { beginSignOn, type SignOn, signOnFailure } from '../../sign-in/sign-on.ts';
import { call, change, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField, Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { type Answer, type Me, useConsole, useQuery } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';

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
  const again = (): void => setStep({ kind: 'credentials' });
  switch (step.kind) {
    case 'credentials':
      return <CredentialsStep because={because} failure={failure} onStep={onStep} />;
    case 'second-factor':
      return <SecondFactorPage step={step} send={(fields) => takeStep(fields, onStep)} onAgain={again} />;
    case 'exists': {
      const { token } = step.exists;
      const takeOver = () =>
        step.isSignOn === true
          ? change('POST /console/handover/exchange', { SignOnCode: token }, onSignedIn)
          : takeStep({ TakeOverToken: token }, onStep);
      return <SessionExistsPage exists={step.exists} onTakeOver={takeOver} onAgain={again} />;
    }
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
  const result = await call<Answer<'POST /console/session'>>('POST /console/session', body);
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

type CredentialsStepProps = Pick<SignInProps, 'because' | 'failure'> & { onStep: (step: Step) => void };

function CredentialsStep({ because, failure, onStep }: CredentialsStepProps) {
  /** `undefined` until it is known. It is asked without a session, and so without a cache. */
  const [options, setOptions] = useState<Options>();
  useEffect(() => {
    void call<Options>('GET /console/options').then((result) => result.ok && setOptions(result.value));
  }, []);
  return (
    <Page
      title={words('signIn.title')}
      lead={words('signIn.lead')}
      ways={
        options && (
          <a href={`${options.PublicUrl.replace(/\/$/, '')}/forgot-password`}>{words('login.forgot')}</a>
        )
      }
    >
      {failure === undefined ? (
        <EndingNotice because={because} />
      ) : (
        <Notice meaning="danger">{failure}</Notice>
      )}
      <Form
        submit={words('login.submit')}
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
        <PasswordField purpose="current" />
      </Form>
      {options?.Passkeys && <PasskeySignIn onStep={onStep} />}
      {options && <ProviderButtons options={options} />}
      {options?.SingleSession && <p class="quiet">{words('signIn.single')}</p>}
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

function PasskeySignIn({ onStep }: Pick<CredentialsStepProps, 'onStep'>) {
  const signIn = () =>
    answerChallenge(call('POST /console/session/passkey'), async (signed, rpId) => {
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

/** What a sign-on from the console comes back to. */
export interface Kept {
  path: string;
  confirms: boolean;
}

/** Exchanges the code that a sign-on returned: who is signed in then, or what is to be said. */
export async function finishSignOn(signOn: SignOn<Kept>) {
  if ('error' in signOn) return signOnFailure(signOn.error);
  const { code: SignOnCode, kept } = signOn;
  if (kept?.confirms === true) {
    const confirmed = await call('POST /console/session/confirm', { SignOnCode });
    return confirmed.ok ? words('signIn.confirmed') : failureOf(confirmed.problem);
  }
  const result = await call<Me>('POST /console/handover/exchange', { SignOnCode });
  if (result.ok) return { kind: 'in', me: result.value } as const;
  const exists = sessionExistsIn(result.problem);
  return exists === undefined ? failureOf(result.problem) : ({ kind: 'out', exists } as const);
}

function failureOf({ code }: Problem): string {
  if (code === 'conflict') return signOnFailure('another_account');
  return signOnFailure(code === 'invalid_code' ? 'invalid_attempt' : code);
}

type Options = Answer<'GET /console/options'>;

/**
 * Single sign-on, if the installation has identity providers. Buttons rather than links: a link can be opened in
 * another tab, which would lack the stored state of the sign-on. `confirms`: it confirms the identity of who is signed in.
 */
function ProviderButtons({ options, confirms = false }: { options: Options; confirms?: boolean }) {
  const { Providers, SignOnUrl } = options;
  const begin = (loginUrl: string): void => {
    const path = location.pathname + location.search;
    // On one machine the console has two origins (localhost and 127.0.0.1), and each has its own sessionStorage: the
    // sign-on must begin on the origin to which the provider returns.
    if (SignOnUrl !== undefined && new URL(SignOnUrl).origin !== location.origin)
      return location.assign(new URL(path, SignOnUrl));
    const query = { console: 'true', ...(confirms && { confirm: 'true' }) };
    location.assign(beginSignOn(loginUrl, query, { path, confirms } satisfies Kept));
  };
  return (
    <>
      {Providers.map(({ Id, Name }) => (
        <Button key={Id} wide onClick={() => begin(`/auth/${Id}/login`)}>
          {words('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}

interface HandOverProps {
  code: string;
  onSignedIn: (me: Me) => void;
  /** Continues without the handed-over session. */
  onGiveUp: () => void;
}

/**
 * Takes over an app's session, after a confirmation. Without a confirmation, an attacker's link would sign the user in
 * to the attacker's account.
 */
export function HandOver({ code, onSignedIn, onGiveUp }: HandOverProps) {
  const [problem, setProblem] = useState<Problem>();
  const take = async (): Promise<void> =>
    setProblem(await change('POST /console/handover/exchange', { HandoverCode: code }, onSignedIn));
  return (
    <Page title={words('signIn.handOver.title')} lead={words('signIn.handOver.lead')}>
      {problem && (
        <Notice meaning="danger">
          {words(HAND_OVER_FAILURES[problem.code] ?? 'signIn.handOver.failed')}
        </Notice>
      )}
      {problem === undefined ? (
        <Button kind="primary" wide onClick={take}>
          {words('signIn.handOver.submit')}
        </Button>
      ) : (
        <Button wide onClick={onGiveUp}>
          {words('handOver.other')}
        </Button>
      )}
    </Page>
  );
}

const HAND_OVER_FAILURES: Readonly<Partial<Record<string, TextKey>>> = {
  invalid_code: 'signIn.handOver.invalid_code',
  conflict: 'signOn.failed.another_account',
};

/**
 * Asks the administrator to confirm their identity before a sensitive action, with one of the account's sign-in
 * methods. `onEnd` receives the result.
 */
export function ConfirmPassword({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { Id, HasPassword, ConfirmsWithCode } = useConsole().me.Account;
  const own = useQuery('GET /admin/account/{id}/passkey', { path: { id: Id } });
  const options = useQuery('GET /console/options');
  const confirmed = (): void => onEnd(true);
  const passkey = canUsePasskeys() && options.data?.Passkeys && own.data?.Items[0] && (
    <PasskeyButton
      label={words('confirm.passkey.submit')}
      failed={words('confirm.passkey.failed')}
      onPress={() =>
        answerChallenge(call('POST /console/session/confirm/passkey'), (signed) =>
          change('POST /console/session/confirm', signed, confirmed),
        )
      }
    />
  );
  if (!HasPassword && !ConfirmsWithCode)
    return (
      <Dialog title={words('confirm.password.title')} onClose={() => onEnd(false)}>
        <ConfirmBySignOn />
        {passkey}
      </Dialog>
    );
  return (
    <Dialog title={words('confirm.password.title')} onClose={() => onEnd(false)}>
      <p>{words('confirm.password.lead')}</p>
      <Form
        submit={words('confirm.password.submit')}
        explanations={{ wrong_password: 'fault.wrong_password', wrong_code: 'fault.wrong_code' }}
        onSubmit={({ Password, TwoFactorCode }) => {
          const shown = ConfirmsWithCode ? { TwoFactorCode } : { Password };
          return change('POST /console/session/confirm', shown, confirmed);
        }}
      >
        {ConfirmsWithCode ? (
          <CodeField label={words('field.anyCode')} />
        ) : (
          <PasswordField purpose="current" />
        )}
      </Form>
      {passkey}
      {!HasPassword && <ConfirmBySignOn />}
    </Dialog>
  );
}

/** Confirms the identity of administrators without a password: they sign on at a provider, and return here. */
function ConfirmBySignOn() {
  const { data } = useQuery('GET /console/options');
  return (
    <>
      <p>{words('confirm.signOn.lead')}</p>
      {data && <ProviderButtons options={data} confirms />}
    </>
  );
}
