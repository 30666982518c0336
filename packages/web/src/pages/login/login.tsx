import { LoginStatus } from 'gatehouse-client';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sessionExistsIn } from '../../sign-in/answers.ts';
import { signOnFailure, takeSignOn } from '../../sign-in/sign-on.ts';
import { RecoveryCodesPage, SecondFactorPage, SessionExistsPage } from '../../sign-in/step-pages.tsx';
import { call, change, NOT_LOADED, type Problem, problemText } from '../../ui/api.ts';
import { Button, ButtonLink, TextButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { pageData, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { When } from '../../ui/time.tsx';
import { useAccountOptions } from '../account-options.ts';
import { Loading } from '../account/own-account.tsx';
import { DonePage } from '../link-page.tsx';
import { destinationOf, isAuthorization, isOwnPage, PATHS, type Return, returnIn, usePage } from '../page.ts';
import { EmailField, type KeptSignOn, MailedCodeField, RESEND_INVITATION, SendAgain } from '../parts.tsx';
import { addPasskey } from '../security/ways-in.tsx';
import { CredentialsStep, type Login, type StepProps } from './credentials.tsx';
import { forgetRequest, keepRequest, keptRequest, linkedCode, shouldOfferPasskey } from './kept.ts';
import styles from './login.module.css';
import { type Step, takeStep } from './steps.ts';

export function LoginPage() {
  const signOn = useSignOn((next) => go(next));
  const linked = useLinkedStep((opened) => go(opened));
  const { begun, set } = usePage();
  const [step, go] = useState<Step>(
    linked ?? begun ?? { kind: signOn.isUnderWay ? 'sign-on' : 'credentials' },
  );
  useEffect(() => set({ begun: undefined }), []);
  const [keep, setKeep] = useState(false);
  // The browser may offer a passkey before the box is ticked.
  const kept = useRef(keep);
  kept.current = keep;
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
    void (isOfferable ? shouldOfferPasskey() : Promise.resolve(false)).then((is) =>
      go({ kind: is ? 'offer' : 'done' }),
    );
  }, [step]);
  const login: Login = {
    go,
    again: () => go({ kind: 'credentials' }),
    send: (fields, onTaken) => takeStep({ ...fields, KeepSignedIn: kept.current }, go, onTaken),
    ...{ keep, setKeep, back, destination, options, failure: signOn.failure },
  };
  // The table has the component of each kind under its name.
  const Shown = STEPS[step.kind] as ComponentType<StepProps<Step['kind']>>;
  return <Shown step={step} login={login} />;
}

const STEPS: { [K in Step['kind']]: ComponentType<StepProps<K>> } = {
  credentials: CredentialsStep,
  'sign-on': () => (
    <Page title={text('login.title')} lead={text('login.lead')}>
      <Loading />
    </Page>
  ),
  email: EmailStep,
  'mail-code': MailCodeStep,
  elsewhere: ElsewhereStep,
  'second-factor': ({ step, login: { send, again } }) => (
    <SecondFactorPage step={step} send={send} onAgain={again} />
  ),
  'recovery-codes': ({ step, login: { go } }) => (
    <RecoveryCodesPage codes={step.codes} onDone={() => go({ kind: 'done' })} />
  ),
  condition: ConditionStep,
  'session-exists': ({ step: { exists, takeOver }, login: { send, again } }) => {
    const take = takeOver ?? ((TakeOverToken: string) => send({ TakeOverToken }));
    return <SessionExistsPage exists={exists} onTakeOver={() => take(exists.token)} onAgain={again} />;
  },
  'signed-in': SignedInStep,
  offer: OfferStep,
  done: SignedInStep,
};

/** Completes the sign-on that opened this page: exchanges its code for a cookie, or shows why there is none. */
function useSignOn(go: Login['go']) {
  const { said, forgetFragment } = usePage();
  const [signOn] = useState(() => takeSignOn<KeptSignOn>(said['HandoverCode'], said));
  const { code, error }: { code?: string; error?: string } = signOn ?? {};
  const [failure, setFailure] = useState(() => (error === undefined ? undefined : signOnFailure(error)));
  const exchange = async (HandoverCode: string): Promise<Problem | undefined> => {
    const wanted = { HandoverCode, KeepSignedIn: signOn?.kept?.keep === true, InPlaceOfOthers: true };
    const result = await call('POST /account/handover/exchange', wanted);
    const exists = result.ok ? undefined : sessionExistsIn(result.problem);
    if (!result.ok && exists === undefined) return result.problem;
    go(exists === undefined ? { kind: 'done' } : { kind: 'session-exists', exists, takeOver: exchange });
    return undefined;
  };
  useEffect(() => {
    if (signOn !== undefined) forgetFragment();
    if (code === undefined) return;
    void exchange(code).then((problem) => {
      if (problem === undefined) return;
      setFailure(
        problemText(problem, text, { ...NOT_LOADED, invalid_code: 'signOn.failed.invalid_attempt' }),
      );
      go({ kind: 'credentials' });
    });
  }, []);
  return { isUnderWay: code !== undefined, back: signOn?.kept?.back, failure };
}

/**
 * Where to go after the login: as the sign-on that ends here says, else the page that requested the mailed code, else the
 * page's address. The link of that mail opens another tab, whose address does not say it.
 */
function useReturn(step: Step, ofSignOn: Return | undefined): Return {
  const { query } = usePage();
  const asked = useRef<Return | undefined>(undefined);
  if (step.kind === 'mail-code')
    asked.current = returnIn(Object.fromEntries(new URLSearchParams(step.request.search)));
  return ofSignOn ?? asked.current ?? returnIn(query);
}

/** Leaves the page once the sign-in is done. Returns where to. */
function useLeaving(step: Step, back: Return, options: Login['options']): string {
  const { route } = usePage();
  const { returnUrl } = back;
  const destination = destinationOf(returnUrl, options?.ReturnUrl, pageData.AppUrl);
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
 */
async function addressWithSession(
  destination: string,
  allowed: string | undefined,
  { state: State, codeChallenge: CodeChallenge }: Return,
): Promise<string> {
  if (destination !== allowed || !/^https?:/i.test(destination)) return destination;
  if (new URL(destination).origin === location.origin) return destination;
  const body = { ReturnUrl: destination, State, CodeChallenge };
  const result = await call<{ Url: string }>('POST /account/handover', body);
  return result.ok ? result.value.Url : destination;
}

/** The step that a mail's link opens, which changes nothing. In a tab that shows this page already, the link calls `go`. */
function useLinkedStep(go: Login['go']): Step | undefined {
  const { Code } = usePage().said;
  useEffect(() => {
    const linked = stepOfLink(Code);
    if (linked !== undefined) go(linked);
  }, [Code]);
  return stepOfLink(Code);
}

function stepOfLink(linked: string | undefined): Step | undefined {
  const code = linkedCode(linked);
  if (code === undefined) return undefined;
  const request = keptRequest();
  return request === undefined ? { kind: 'elsewhere', code } : { kind: 'mail-code', request, code };
}

/** The result looks the same whether or not the address has an account. */
function EmailStep({ login: { go, again } }: StepProps<'email'>) {
  const { set } = usePage();
  return (
    <Page
      title={text('login.email.title')}
      lead={text('login.email.lead')}
      ways={<TextButton words={text('login.email.others')} onPress={again} />}
    >
      <Form
        submit={text('login.email')}
        onSubmit={async ({ Email = '' }) => {
          set({ email: Email });
          return change('POST /account/login/email', { Email }, (answer: { RequestToken: string }) => {
            const request = { Email, ...answer, search: location.search };
            keepRequest(request);
            go({ kind: 'mail-code', request });
          });
        }}
      >
        <EmailField autofocus />
      </Form>
    </Page>
  );
}

/** Signs in with the code of the mail: with one press if its link was opened in the browser that asked. */
function MailCodeStep({ step: { request, code }, login }: StepProps<'mail-code'>) {
  const { Email: Username, RequestToken } = request;
  const isLinked = code !== undefined;
  return (
    <Page
      title={text(isLinked ? 'login.title' : 'login.mailCode.title')}
      lead={text(isLinked ? 'login.mailCode.linked' : 'login.mailCode.lead', { email: Username })}
      ways={
        <>
          <TextButton words={text('login.mailCode.again')} onPress={() => login.go({ kind: 'email' })} />
          <TextButton words={text('login.email.others')} onPress={login.again} />
        </>
      }
    >
      <Form
        key={code}
        submit={text('login.submit')}
        explanations={{ authentication_failed: 'login.mailCode.failed' }}
        onSubmit={({ MailCode = code }) =>
          login.send({ Username, MailCode, RequestToken, SessionTag: login.back.sessionTag }, forgetRequest)
        }
      >
        {!isLinked && <MailedCodeField name="MailCode" autofocus />}
        <Checkbox name="KeepSignedIn" onChange={login.setKeep}>
          {text('login.keep')}
        </Checkbox>
      </Form>
    </Page>
  );
}

/** Shows the code of a link that was opened in another browser than the one that asked, to be typed there. */
function ElsewhereStep({ step: { code }, login }: StepProps<'elsewhere'>) {
  return (
    <Page
      title={text('login.elsewhere.title')}
      lead={text('login.elsewhere.lead')}
      ways={<TextButton words={text('login.elsewhere.here')} onPress={login.again} />}
    >
      <ShownCode code={code} />
    </Page>
  );
}

/** A mailed code, large, to be typed in another browser. */
export function ShownCode({ code }: { code: string }) {
  return <p class={styles['code']}>{code}</p>;
}

/** Offers a passkey after a sign-in by password, so that the next login needs no typing. */
function OfferStep({ login: { go } }: StepProps<'offer'>) {
  const [problem, setProblem] = useState<Problem>();
  /** The recent login is sufficient proof of identity. If the user or the browser cancels, no error is shown. */
  const add = async (): Promise<void> => {
    const added = await addPasskey({}, '');
    setProblem(added?.ok === false ? added.problem : undefined);
    if (added?.ok !== true) return;
    const codes = added.value.RecoveryCodes;
    go(codes === undefined ? { kind: 'done' } : { kind: 'recovery-codes', codes });
  };
  return (
    <Page title={text('offer.title')} lead={text('offer.lead')}>
      <Fault problem={problem} />
      <Button kind="primary" wide icon="passkey" busyWords={text('passkey.waiting')} onClick={add}>
        {text('passkey.add')}
      </Button>
      <Button wide onClick={() => go({ kind: 'done' })}>
        {text('offer.later')}
      </Button>
    </Page>
  );
}

/** Shown until the next page has loaded. The link is for browsers that do not go there automatically. */
function SignedInStep({ login: { destination } }: StepProps<'signed-in' | 'done'>) {
  return <DonePage words="signedIn" href={destination} next={text('signedIn.continue')} />;
}

/** Says why a login cannot continue, and what the user can do. */
function ConditionStep({ step: { status, body }, login }: StepProps<'condition'>) {
  // Of a disabled account, if an administrator chose to tell its owner.
  const { DisabledReason: reason, DisabledUntil: until } = body;
  const { SupportUrl } = pageData;
  const { email } = usePage();
  const { name, path } = CONDITIONS[status] ?? DISABLED;
  const page = { title: text(`condition.${name}.title`), lead: text(`condition.${name}.lead`) };
  const again = <TextButton words={text('login.again')} onPress={login.again} />;
  if (name === 'invitation') {
    return (
      <Page {...page}>
        <SendAgain {...RESEND_INVITATION} email={email} primary>
          {again}
        </SendAgain>
      </Page>
    );
  }
  const href = path ?? SupportUrl;
  return (
    <Page {...page} ways={again}>
      {(reason ?? until) !== undefined && (
        <Notice meaning="information">
          {typeof reason === 'string' && <p>{text('condition.disabled.reason', { reason })}</p>}
          {typeof until === 'string' && (
            <p>
              <When words="condition.disabled.until" at={until} />
            </p>
          )}
        </Notice>
      )}
      {href && (
        <ButtonLink href={href} kind="primary" wide>
          {text(path === undefined ? 'condition.support' : `condition.${name}.way`)}
        </ButtonLink>
      )}
    </Page>
  );
}

/** What the keys of the texts say, and the page where the owner can do something about it. */
type Condition =
  | { name: 'disabled' | 'expired' | 'invitation'; path?: undefined }
  | { name: 'email' | 'signup' | 'password'; path: string };

const DISABLED: Condition = { name: 'disabled' };
const SIGNUP: Condition = { name: 'signup', path: PATHS.forgotPassword };

const CONDITIONS: Readonly<Partial<Record<LoginStatus, Condition>>> = {
  [LoginStatus.IsPendingEmailConfirmation]: { name: 'email', path: PATHS.verifyEmail },
  [LoginStatus.IsPendingNewAccountSignup]: SIGNUP,
  [LoginStatus.IsPendingAccountMigrationSignup]: SIGNUP,
  [LoginStatus.IsPendingNewPassword]: { name: 'password', path: PATHS.forgotPassword },
  [LoginStatus.IsExpired]: { name: 'expired' },
  [LoginStatus.IsPendingInvitation]: { name: 'invitation' },
};
