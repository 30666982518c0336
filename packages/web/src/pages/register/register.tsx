import { useEffect, useState } from 'preact/hooks';
import { call, change, type Problem } from '../../ui/api.ts';
import { TextButton } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { pageData, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Or, Page } from '../../ui/page.tsx';
import { useAccountOptions } from '../account-options.ts';
import { CheckedLink, DonePage, LinkPage } from '../link-page.tsx';
import { ContinueAs } from '../login/credentials.tsx';
import { linkedCode } from '../login/kept.ts';
import { ShownCode } from '../login/login.tsx';
import { onTheWay, PATHS, type Return, returnIn, useOpenAccount, usePage } from '../page.ts';
import { EmailField, LoginLink, NameField, ProviderButtons, SendAgain, typedName } from '../parts.tsx';
import {
  forgetRegistration,
  keepRegistration,
  keptRegistration,
  useIsDiscarded,
  useSignInOfRegistered,
} from './registered.ts';

/** Creates an account, or completes a prepared one. The result looks the same whether or not the address has one. */
export function RegisterPage() {
  const { query, route, set } = usePage();
  const back = returnIn(query);
  const options = useAccountOptions();
  return (
    <Page
      title={text('register.title')}
      lead={text('register.lead')}
      ways={<a href={onTheWay(PATHS.login, back)}>{text('register.login')}</a>}
    >
      {options?.Registration === 'closed' && <Notice meaning="information">{text('register.closed')}</Notice>}
      <ContinueAs onContinue={() => route(PATHS.profile)} />
      <Form
        submit={text('register.submit')}
        busyWords={text('register.busy')}
        onSubmit={async ({ DisplayName, Email = '', Password = '' }) => {
          set({ email: Email });
          const body = { Email, Password, Locale: pageData.Locale, ...typedName(DisplayName) };
          return change('POST /account/register', body, (answer: { RegistrationToken: string }) => {
            keepRegistration({ Email, RegistrationToken: answer.RegistrationToken, back });
            set({ registered: { email: Email, password: Password } });
            route(PATHS.verifyEmail);
          });
        }}
      >
        <NameField />
        <EmailField />
        <PasswordField purpose="new" />
      </Form>
      {(options?.Providers.length ?? 0) > 0 && <Or />}
      <ProviderButtons options={options} back={back} />
    </Page>
  );
}

/**
 * Confirms an email address: with one click if the link contained address and code, else with the code of the mail. The
 * password stays only in the browser that registered it: anybody can register an address, and have the mail sent. That
 * browser is then signed in. Any other shows the code, to be entered there.
 */
export function VerifyEmailPage() {
  const { email, said } = usePage();
  const { Email: linkedEmail, Code } = said;
  // If the address is already known, its field is not shown. Typing an address must not hide the field.
  const [known] = useState(email);
  const { confirm, back } = useConfirmation();
  const code = linkedEmail === undefined ? undefined : Code;
  const account = linkedEmail ?? known;
  const kept = account === '' ? undefined : keptRegistration(account);
  const isDiscarded = useIsDiscarded(back === undefined ? kept : undefined);
  if (back !== undefined)
    return (
      <DonePage
        words="verify.done"
        values={{ email }}
        href={onTheWay(PATHS.login, back)}
        next={text('verify.done.login')}
      />
    );
  if (isDiscarded) return <ConfirmedElsewhere email={account} />;
  const shown = linkedCode(code);
  return (
    <CheckedLink words="verify">
      {shown !== undefined && kept === undefined ? (
        <CodeStep email={account} code={shown} onHere={() => confirm({ Email: account, Code: shown })} />
      ) : (
        <LinkPage
          words="verify"
          lead={leadOf(account, code !== undefined)}
          email={account}
          code={code}
          notice={
            account !== '' &&
            kept === undefined && <Notice meaning="information">{text('verify.elsewhere')}</Notice>
          }
          onSend={confirm}
        >
          <SendAgain
            operation="POST /account/resend-verification"
            email={account === '' ? email : account}
            words={{ send: 'verify.another', sent: 'verify.another.sent' }}
          >
            <LoginLink />
          </SendAgain>
        </LinkPage>
      )}
    </CheckedLink>
  );
}

/**
 * Confirms the address, and then signs in. `back` is set once it is confirmed and nobody could be signed in: where the
 * login leads. A browser that did not register goes on to choose a password.
 */
function useConfirmation() {
  const { route, registered, set } = usePage();
  const [back, setBack] = useState<Return>();
  // Only the tab of the registration goes back to what it was on the way to, so that this happens once.
  const [own] = useState(() => registered && keptRegistration(registered.email)?.back);
  const open = useOpenAccount(own);
  const openAccount = (): void => {
    set({ news: 'verify.welcome' });
    open();
  };
  const signIn = useSignInOfRegistered(openAccount);
  const confirm = async ({ Email = '', Code }: FieldValues): Promise<Problem | undefined> => {
    set({ email: Email });
    const kept = keptRegistration(Email);
    const body = { Email, Code, RegistrationToken: kept?.RegistrationToken ?? '' };
    return change('POST /account/verify', body, async () => {
      if (kept === undefined) {
        await call('POST /account/forgot-password', { Email });
        set({ news: 'verify.done.title' });
        return route(PATHS.resetPassword);
      }
      forgetRegistration();
      if (await signIn(Email)) return openAccount();
      return setBack(kept.back ?? {});
    });
  };
  return { confirm, back };
}

interface CodeStepProps {
  email: string;
  code: string;
  /** Confirms here, which discards the password that was registered. Returns the error, if there is one. */
  onHere: () => Promise<Problem | undefined>;
}

/** Shows the code of a link that was opened in another browser than the one that registered, to be typed there. */
function CodeStep({ email, code, onHere }: CodeStepProps) {
  const [problem, setProblem] = useState<Problem>();
  return (
    <Page
      title={text('login.elsewhere.title')}
      lead={text('verify.code.lead', { email })}
      ways={<TextButton words={text('verify.code.here')} onPress={async () => setProblem(await onHere())} />}
    >
      <Fault problem={problem} />
      <ShownCode code={code} />
      <p>{text('verify.code.stranger')}</p>
    </Page>
  );
}

/** Shown where the code was waited for, once the address has been confirmed in another browser. */
function ConfirmedElsewhere({ email }: { email: string }) {
  useEffect(forgetRegistration, []);
  return (
    <DonePage
      words="verify.discarded"
      values={{ email }}
      href={PATHS.login}
      next={text('verify.done.login')}
      ways={<a href={PATHS.forgotPassword}>{text('reset.title')}</a>}
    />
  );
}

function leadOf(email: string, isLinked: boolean): string {
  if (isLinked) return text('verify.linked', { email });
  return email === '' ? text('verify.lead') : text('verify.lead.email', { email });
}
