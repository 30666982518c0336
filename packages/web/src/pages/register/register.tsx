import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call, post } from '../../ui/api.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type Text, usePageData, useText } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Or, Page, SecondaryActions } from '../../ui/page.tsx';
import { useAccountOptions } from '../account-options.ts';
import { DonePage, LinkPage } from '../link-page.tsx';
import { ContinueAs } from '../login/credentials.tsx';
import { onTheWay, type Return, returnIn, useOpenAccount } from '../login/destination.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { EmailField, LoginLink, NameField, ProviderButtons, SendAgain, typedName } from '../parts.tsx';
import { PATHS } from '../paths.ts';
import {
  forgetRegistration,
  keepRegistration,
  keptRegistration,
  useSignInOfRegistered,
} from './registered.ts';

/** Creates an account, or completes a prepared one. The result looks the same whether or not the address has one. */
export function RegisterPage() {
  const text = useText();
  const { query, route } = useLocation();
  const { setEmail, setRegistered } = usePageState();
  const { Locale } = usePageData();
  const back = returnIn(query);
  const options = useAccountOptions(undefined);
  return (
    <Page title={text('register.title')} lead={text('register.lead')}>
      {options?.Registration === 'closed' && <Notice meaning="information">{text('register.closed')}</Notice>}
      <ContinueAs onContinue={() => route(PATHS.profile)} />
      <Form
        submit={text('register.submit')}
        busyWords={text('register.busy')}
        onSubmit={async ({ DisplayName, Email = '', Password = '' }) => {
          setEmail(Email);
          const body = { Email, Password, Locale, ...typedName(DisplayName) };
          return post('/account/register', body, ({ RegistrationToken }: { RegistrationToken: string }) => {
            keepRegistration({ Email, RegistrationToken, back }, () => localStorage);
            setRegistered({ email: Email, password: Password });
            route(PATHS.verifyEmail);
          });
        }}
      >
        <NameField />
        <EmailField />
        <PasswordField name="Password" label={text('field.password')} purpose="new" />
      </Form>
      {(options?.Providers.length ?? 0) > 0 && <Or />}
      <ProviderButtons options={options} back={back} />
      <SecondaryActions>
        <a href={onTheWay(PATHS.login, back)}>{text('register.login')}</a>
      </SecondaryActions>
    </Page>
  );
}

/**
 * Confirms an email address: with one click if the link contained address and code, else with the code of the mail. The
 * password stays only in the browser that registered it: anybody can register an address, and have the mail sent. That
 * browser is then signed in.
 */
export function VerifyEmailPage() {
  const text = useText();
  const { email, setEmail, registered } = usePageState();
  const { Email: linkedEmail, Code } = useFragment();
  // If the address is already known, its field is not shown. Typing an address must not hide the field.
  const [known] = useState(email);
  const keptFor = (address: string) => keptRegistration(address, () => localStorage);
  const [done, setDone] = useState<{ hasPassword: boolean; back: Return }>();
  // Only the tab of the registration goes back to what it was on the way to, so that this happens once.
  const [back] = useState(() => registered && keptFor(registered.email)?.back);
  const openAccount = useOpenAccount(back);
  const signIn = useSignInOfRegistered(openAccount);
  if (done !== undefined) return <Confirmed {...done} />;
  const linkedCode = linkedEmail === undefined ? undefined : Code;
  const account = linkedEmail ?? known;
  return (
    <LinkPage
      words="verify"
      lead={leadOf(text, account, linkedCode !== undefined)}
      email={account}
      code={linkedCode}
      notice={
        account !== '' &&
        keptFor(account) === undefined && <Notice meaning="information">{text('verify.elsewhere')}</Notice>
      }
      onSend={async ({ Email = '', Code: code }) => {
        setEmail(Email);
        const kept = keptFor(Email);
        const body = { Email, Code: code, RegistrationToken: kept?.RegistrationToken ?? '' };
        return post('/account/verify', body, async () => {
          if (kept === undefined) {
            await call('POST', '/account/forgot-password', { Email });
            return setDone({ hasPassword: false, back: {} });
          }
          forgetRegistration(() => localStorage);
          if (await signIn(Email)) return openAccount();
          return setDone({ hasPassword: true, back: kept.back ?? {} });
        });
      }}
    >
      <SendAgain
        path="/account/resend-verification"
        email={account === '' ? email : account}
        words={{ send: 'verify.another', sent: 'verify.another.sent' }}
      >
        <LoginLink />
      </SendAgain>
    </LinkPage>
  );
}

function Confirmed({ hasPassword, back }: { hasPassword: boolean; back: Return }) {
  const text = useText();
  const { email } = usePageState();
  return (
    <DonePage
      title={text('verify.done.title')}
      lead={text(hasPassword ? 'verify.done.lead' : 'verify.choose.lead', { email })}
      href={hasPassword ? onTheWay(PATHS.login, back) : PATHS.resetPassword}
      next={text(hasPassword ? 'verify.done.login' : 'reset.title')}
    />
  );
}

function leadOf(text: Text, email: string, isLinked: boolean): string {
  if (isLinked) return text('verify.linked', { email });
  return email === '' ? text('verify.lead') : text('verify.lead.email', { email });
}
