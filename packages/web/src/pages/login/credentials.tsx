import type { PasskeyChallenge, Profile, ReplacedBy } from 'gatehouse-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  answerChallenge,
  canUsePasskeys,
  forgetUnknownPasskey,
  type PasskeyJson,
  signWithPasskey,
  supportsPasskeyAutofill,
} from '../../sign-in/passkey.ts';
import { PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { call, type Problem, type Result } from '../../ui/api.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { deviceName } from '../../ui/device-name.ts';
import { Checkbox, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Or, Page } from '../../ui/page.tsx';
import { type AccountOptions, hasEmailLogin } from '../account-options.ts';
import { findProfile } from '../account/own-account.tsx';
import { AGAIN, onTheWay, PATHS, type Return, usePage } from '../page.ts';
import { EmailField, News, ProviderButtons } from '../parts.tsx';
import { appOf } from './kept.ts';
import type { Step } from './steps.ts';

export interface Login {
  go: (step: Step) => void;
  again: () => void;
  /** Sends the fields of a step, and opens the next one, after `onTaken` if it is accepted. Returns the error if none is. */
  send: (fields: object, onTaken?: () => void) => Promise<Problem | undefined>;
  /** Whether the session lasts after the browser is closed. */
  keep: boolean;
  setKeep: (keep: boolean) => void;
  back: Return;
  /** Where to go after the login, as an address. */
  destination: string;
  options: AccountOptions | undefined;
  /** Why the sign-on at an identity provider that ended on this page failed. */
  failure: string | undefined;
}

export interface StepProps<K extends Step['kind']> {
  step: Extract<Step, { kind: K }>;
  login: Login;
}

export function CredentialsStep({ login }: StepProps<'credentials'>) {
  const { options, go, keep, back, failure } = login;
  const { news } = usePage();
  const ending = useEnding();
  const takesPasskeys = options?.Passkeys === true;
  const passkey = usePasskeyLogin(login, takesPasskeys);
  const hasEmail = hasEmailLogin(options);
  const hasProviders = (options?.Providers.length ?? 0) > 0;
  const app = appOf(back.returnUrl);
  return (
    <Page
      title={text('login.title')}
      lead={app === undefined ? text('login.lead') : text('login.lead.app', { app })}
      ways={
        <>
          <a href={PATHS.forgotPassword}>{text('login.forgot')}</a>
          {options?.Registration !== 'closed' && (
            <a href={onTheWay(PATHS.register, back)}>{text('login.register')}</a>
          )}
        </>
      }
    >
      <News />
      {failure === undefined ? (
        <>
          {ending && <EndingNotice reason={ending} />}
          <ContinueAs onContinue={() => go({ kind: 'done' })} />
        </>
      ) : (
        <Notice meaning="danger">{failure}</Notice>
      )}
      <CredentialsForm login={login} passkey={passkey} hasNews={(news ?? failure ?? ending) !== undefined} />
      {((takesPasskeys && canUsePasskeys()) || hasEmail || hasProviders) && <Or />}
      {takesPasskeys && (
        <PasskeyButton
          label={text('login.passkey')}
          failed={text('login.passkey.failed')}
          earlier={passkey.problem}
          onPress={passkey.press}
        />
      )}
      {hasEmail && (
        <Button wide icon="mail" onClick={() => go({ kind: 'email' })}>
          {text('login.email')}
        </Button>
      )}
      <ProviderButtons options={options} back={back} keep={keep} />
    </Page>
  );
}

interface CredentialsFormProps {
  login: Login;
  passkey: ReturnType<typeof usePasskeyLogin>;
  /** Whether there is something to read before the first field. */
  hasNews: boolean;
}

function CredentialsForm({ login: { send, setKeep, back }, passkey, hasNews }: CredentialsFormProps) {
  const { email, set } = usePage();
  return (
    <Form
      submit={text('login.submit')}
      busyWords={text('login.busy')}
      explanations={{ authentication_failed: 'login.failed' }}
      onSubmit={async ({ Username = '', Password }) => {
        set({ email: Username });
        passkey.stop();
        return send({ Username, Password, SessionTag: back.sessionTag });
      }}
    >
      <EmailField
        autofocus={!hasNews && email === ''}
        name="Username"
        autocomplete="username webauthn"
        onPointerDown={() => void passkey.start()}
        onKeyUp={() => void passkey.start()}
      />
      <PasswordField purpose="current" autofocus={!hasNews && email !== ''} />
      <Checkbox name="KeepSignedIn" onChange={setKeep}>
        {text('login.keep')}
      </Checkbox>
    </Form>
  );
}

/** Offers those who are signed in already to go on as they are. Renders nothing for all others. */
export function ContinueAs({ onContinue }: { onContinue: () => void }) {
  const { query } = usePage();
  const [profile, setProfile] = useState<Profile>();
  // Whoever was sent here because the session is over, or must sign in again, has no other choice.
  const isChoice = query['reason'] === undefined && query[AGAIN] === undefined;
  useEffect(() => {
    if (!isChoice) return;
    void findProfile().then((result) => setProfile(result.ok ? result.value : undefined));
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
 * Signs in with a passkey alone, by a button or by the browser's autofill. The API issues only a few challenges per minute
 * to an IP address. So a challenge is stored until a signature is sent, and autofill offers passkeys only once somebody is
 * at the email field: that the page opens with the focus in it is not enough. If passkeys cannot be offered, no error is
 * shown, because the user did not request them.
 */
function usePasskeyLogin({ send: sendFields, back: { sessionTag: SessionTag } }: Login, isOn: boolean) {
  const kept = useRef<{ challenge: PasskeyChallenge; at: number } | undefined>(undefined);
  const [problem, setProblem] = useState<Problem>();
  const wait = useRef<{ control: AbortController; since: number } | undefined>(undefined);
  const isRefused = useRef(false);
  const isTouched = useRef(false);

  const ask = async (): Promise<Result<PasskeyChallenge>> => {
    if (kept.current !== undefined && Date.now() - kept.current.at < FRESH_MS)
      return { ok: true, value: kept.current.challenge };
    const result = await call<PasskeyChallenge>('POST /account/login/passkey', {});
    if (result.ok) kept.current = { challenge: result.value, at: Date.now() };
    return result;
  };
  const send = async (signed: { PasskeyToken: string; Credential: PasskeyJson }, rpId: string) => {
    kept.current = undefined;
    const refusal = await sendFields({ ...signed, SessionTag });
    if (refusal) forgetUnknownPasskey(refusal, rpId, signed.Credential);
    return refusal;
  };
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
  const press = (): Promise<Problem | undefined> => {
    stop();
    return answerChallenge(ask(), send);
  };
  return { problem, start, stop, press };
}

/** Says why the last session ended, if an app or a page has sent the visitor here because of that. */
function EndingNotice({ reason }: { reason: string }) {
  const replacedBy = useReplacedBy();
  const words = REASONS[reason];
  if (words === undefined) return null;
  return (
    <Notice meaning={reason === 'signed_out' ? 'success' : 'warning'}>
      <p>
        {reason === 'session_replaced' && replacedBy ? text('login.replaced.by', replacedBy) : text(words)}
      </p>
      {DOUBTFUL.has(reason) && (
        <p>
          {text('login.replaced.doubt')} <a href={PATHS.forgotPassword}>{text('login.replaced.link')}</a>
        </p>
      )}
    </Notice>
  );
}

/** The reason in the address of the page, if there are words for it. */
function useEnding(): string | undefined {
  const { reason = '' } = usePage().query;
  return Object.hasOwn(REASONS, reason) ? reason : undefined;
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  session_replaced: 'login.replaced',
  session_deactivated: 'login.deactivated',
  session_expired: 'login.expired',
  signed_out: 'login.signedOut',
};

/** Endings that somebody else may have caused. */
const DOUBTFUL: ReadonlySet<string> = new Set(['session_replaced', 'session_deactivated']);

/** The session that replaced the last one, according to the error. */
function useReplacedBy(): { device: string; time: string } | undefined {
  const { ending } = usePage();
  // As documented in docs/sessions.md. Any other value is shown as text.
  const by = ending?.body['ReplacedBy'] as Partial<ReplacedBy> | null | undefined;
  const device = by && deviceName(by);
  const at = Date.parse(by?.At ?? '');
  if (!device || Number.isNaN(at)) return undefined;
  return { device, time: new Intl.DateTimeFormat(pageData.Locale, { timeStyle: 'short' }).format(at) };
}
