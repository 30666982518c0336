import type { PasskeyChallenge, Profile } from 'gatehouse-client';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, type Problem, type Result } from '../../ui/api.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { MailIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Or, Page, SecondaryActions } from '../../ui/page.tsx';
import {
  answerChallenge,
  canUsePasskeys,
  forgetUnknownPasskey,
  type PasskeyJson,
  signWithPasskey,
  supportsPasskeyAutofill,
} from '../../sign-in/passkey.ts';
import { AddressHint, PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { isEmailLoginOffered } from '../account-options.ts';
import { findProfile } from '../account/own-account.tsx';
import { appOf } from '../authorize/kept-authorization.ts';
import { usePageState } from '../page-state.ts';
import { EmailField, News, ProviderButtons } from '../parts.tsx';
import { PATHS } from '../paths.ts';
import { EndingNotice, useEnding } from './conditions.tsx';
import { onTheWay, type Return } from './destination.ts';
import type { Login, StepProps } from './steps.ts';

export function CredentialsStep({ login }: StepProps<'credentials'>) {
  const { options, go, send, keep, back } = login;
  const ending = useEnding();
  const passkey = usePasskeyLogin(send, back.sessionTag);
  const autofill = usePasskeyAutofill(passkey, options?.Passkeys === true);
  const hasOtherWays =
    (options?.Passkeys === true && canUsePasskeys()) ||
    isEmailLoginOffered(options) ||
    (options?.Providers.length ?? 0) > 0;
  return (
    <Page title={text('login.title')} lead={leadOf(back)}>
      <Before login={login} ending={ending} />
      <CredentialsForm
        login={login}
        autofill={autofill}
        hasNews={(login.signOn.failure ?? ending) !== undefined}
      />
      {hasOtherWays && <Or />}
      {options?.Passkeys === true && (
        <>
          <PasskeyButton
            label={text('login.passkey')}
            failed={text('login.passkey.failed')}
            earlier={autofill.problem}
            onPress={async () => {
              autofill.stop();
              return passkey.login();
            }}
          />
          <AddressHint />
        </>
      )}
      {isEmailLoginOffered(options) && (
        <Button wide icon={<MailIcon />} onClick={() => go({ kind: 'email' })}>
          {text('login.email')}
        </Button>
      )}
      <ProviderButtons options={options} back={back} keep={keep} />
      <OtherPages options={options} back={back} />
    </Page>
  );
}

interface CredentialsFormProps {
  login: Login;
  autofill: ReturnType<typeof usePasskeyAutofill>;
  /** Whether there is something to read before the first field. */
  hasNews: boolean;
}

function CredentialsForm({ login, autofill, hasNews }: CredentialsFormProps) {
  const { send, setKeep, back } = login;
  const { email, setEmail, news } = usePageState();
  const isPlain = !hasNews && news === undefined;
  return (
    <Form
      submit={text('login.submit')}
      busyWords={text('login.busy')}
      explanations={{ authentication_failed: 'login.failed' }}
      onSubmit={async ({ Username = '', Password }) => {
        setEmail(Username);
        autofill.stop();
        return send({ Username, Password, SessionTag: back.sessionTag });
      }}
    >
      <EmailField
        isFirst={isPlain && email === ''}
        name="Username"
        autocomplete="username webauthn"
        onTouch={() => void autofill.start()}
      />
      <PasswordField
        name="Password"
        label={text('field.password')}
        purpose="current"
        autofocus={isPlain && email !== ''}
      />
      <Checkbox name="KeepSignedIn" onChange={setKeep}>
        {text('login.keep')}
      </Checkbox>
    </Form>
  );
}

/** What is said before the form: what happened before, and who is signed in already. */
function Before({ login: { go, signOn }, ending }: { login: Login; ending: string | undefined }) {
  const { failure } = signOn;
  return (
    <>
      <News />
      {failure === undefined ? (
        ending && <EndingNotice reason={ending} />
      ) : (
        <Notice meaning="danger">{failure}</Notice>
      )}
      {failure === undefined && <ContinueAs onContinue={() => go({ kind: 'done' })} />}
    </>
  );
}

/** Names the app that the login is for, or else the installation. */
function leadOf({ returnUrl }: Return): string {
  const app = appOf(returnUrl);
  return app === undefined ? text('login.lead') : text('login.lead.app', { app });
}

function OtherPages({ options, back }: Pick<Login, 'options' | 'back'>) {
  return (
    <SecondaryActions>
      <a href={PATHS.forgotPassword}>{text('login.forgot')}</a>
      {options?.Registration !== 'closed' && (
        <a href={onTheWay(PATHS.register, back)}>{text('login.register')}</a>
      )}
    </SecondaryActions>
  );
}

/** The parameter of the login page with which a signed-in user is asked to sign in again, to prove their identity. */
export const AGAIN = 'again';

/** Offers those who are signed in already to go on as they are. Renders nothing for all others. */
export function ContinueAs({ onContinue }: { onContinue: () => void }) {
  const { query } = useLocation();
  const [profile, setProfile] = useState<Profile>();
  // Whoever was sent here because the session is over, or must sign in again, has no other choice.
  const isChoice = query['reason'] === undefined && query[AGAIN] === undefined;
  useEffect(() => {
    if (!isChoice) return;
    void findProfile().then((result) => {
      if (result.ok) setProfile(result.value);
    });
  }, [isChoice]);
  if (profile === undefined) return null;
  const { DisplayName, Email } = profile;
  return (
    <>
      <Button wide icon={<Avatar name={DisplayName ?? Email} />} onClick={onContinue}>
        {text('login.continue', { email: Email })}
      </Button>
      <Or>{text('login.another')}</Or>
    </>
  );
}

/** The API accepts a signature within five minutes; the user needs part of that time to sign. */
const FRESH_MS = 4 * 60_000;

/**
 * Signs in with a passkey alone. A challenge is stored until a signature is sent, and shared by autofill and the
 * button, because the API issues only a few challenges per minute to an IP address.
 */
function usePasskeyLogin(sendFields: Login['send'], SessionTag: string | undefined) {
  const kept = useRef<{ challenge: PasskeyChallenge; at: number } | undefined>(undefined);
  const ask = async (): Promise<Result<PasskeyChallenge>> => {
    if (kept.current !== undefined && Date.now() - kept.current.at < FRESH_MS)
      return { ok: true, value: kept.current.challenge };
    const result = await call<PasskeyChallenge>('POST', '/account/login/passkey', {});
    if (result.ok) kept.current = { challenge: result.value, at: Date.now() };
    return result;
  };
  const send = async (signed: { PasskeyToken: string; Credential: PasskeyJson }, rpId: string) => {
    kept.current = undefined;
    return sendFields({ ...signed, SessionTag }, (result) => {
      if (!result.ok) forgetUnknownPasskey(result.problem, rpId, signed.Credential);
    });
  };
  return { ask, send, login: () => answerChallenge(ask(), send) };
}

/**
 * Lets the browser offer passkeys in its autofill once somebody is at the email field. That the page opens with the focus
 * in it is not enough: each offer takes a challenge, of which an address has only a few. If passkeys cannot be offered,
 * no error is shown, because the user did not request them.
 *
 * @param isOn whether the installation accepts passkeys.
 */
function usePasskeyAutofill(
  { ask, send }: Pick<ReturnType<typeof usePasskeyLogin>, 'ask' | 'send'>,
  isOn: boolean,
) {
  const [problem, setProblem] = useState<Problem>();
  const wait = useRef<{ control: AbortController; since: number } | undefined>(undefined);
  const isRefused = useRef(false);
  const isTouched = useRef(false);

  const offer = async (signal: AbortSignal): Promise<void> => {
    if (!(await supportsPasskeyAutofill())) return;
    const asked = await ask();
    isRefused.current = !asked.ok;
    if (!asked.ok || signal.aborted) return;
    const { PasskeyToken, Options } = asked.value;
    const Credential = await signWithPasskey(Options, { mediation: 'conditional', signal });
    if (Credential !== undefined && !signal.aborted)
      setProblem(await send({ PasskeyToken, Credential }, Options.rpId));
  };
  /** Stops the offer, because another passkey request or another way to sign in replaces it. */
  const stop = (): void => {
    wait.current?.control.abort();
    wait.current = undefined;
    setProblem(undefined);
  };
  const start = async (): Promise<void> => {
    isTouched.current = true;
    const isWaiting = wait.current !== undefined && Date.now() - wait.current.since < FRESH_MS;
    if (!isOn || isWaiting || isRefused.current) return;
    wait.current?.control.abort();
    const own = { control: new AbortController(), since: Date.now() };
    wait.current = own;
    await offer(own.control.signal);
    if (wait.current === own) wait.current = undefined;
  };
  useEffect(() => {
    // Before the options were loaded it could not be offered.
    if (isTouched.current) void start();
    return () => wait.current?.control.abort();
  }, [isOn]);
  return { problem, start, stop };
}
