import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Or } from '../../ui/layout/or.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { type Text, useText } from '../../ui/locale/locale.ts';
import { ProviderButtons, useAccountOptions } from '../account-options.tsx';
import { EmailField } from '../fields.tsx';
import { ContinueAs } from '../login/credentials.tsx';
import { onTheWay, type Return, returnIn, useOpenAccount } from '../login/destination.ts';
import { SendAgain } from '../mail-links.tsx';
import { useFragment, usePageState } from '../page-state.ts';
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
        onSubmit={async ({ DisplayName = '', Email = '', Password = '' }) => {
          setEmail(Email);
          const name = DisplayName.trim();
          const body = { Email, Password, Locale, ...(name !== '' && { DisplayName: name }) };
          const result = await call<{ RegistrationToken: string }>('POST', '/account/register', body);
          if (!result.ok) return result.problem;
          const { RegistrationToken } = result.value;
          keepRegistration({ Email, RegistrationToken, back }, () => localStorage);
          setRegistered({ email: Email, password: Password });
          route(PATHS.verifyEmail);
          return undefined;
        }}
      >
        <Field
          name="DisplayName"
          label={text('field.name')}
          hint={text('register.name.hint')}
          autocomplete="name"
        />
        <EmailField name="Email" />
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
  const { Email: linkedEmail, Code: linkedCode } = useFragment();
  // If the address is already known, its field is not shown. Typing an address must not hide the field.
  const [known] = useState(email);
  const keptFor = (address: string) => keptRegistration(address, () => localStorage);
  const [done, setDone] = useState<{ hasPassword: boolean; back: Return }>();
  // Only the tab of the registration goes back to what it was on the way to, so that this happens once.
  const [back] = useState(() => registered && keptFor(registered.email)?.back);
  const openAccount = useOpenAccount(back);
  const signIn = useSignInOfRegistered(openAccount);
  if (done !== undefined) return <Confirmed {...done} />;
  const isLinked = linkedEmail !== undefined && linkedCode !== undefined;
  const account = linkedEmail ?? known;
  return (
    <Page title={text('verify.title')} lead={leadOf(text, account, isLinked)}>
      {account !== '' && keptFor(account) === undefined && (
        <Notice meaning="information">{text('verify.elsewhere')}</Notice>
      )}
      <Form
        key={linkedCode ?? ''}
        submit={text('verify.submit')}
        onSubmit={async ({ Email = account, Code = linkedCode }) => {
          setEmail(Email);
          const kept = keptFor(Email);
          const body = { Email, Code, RegistrationToken: kept?.RegistrationToken ?? '' };
          const result = await call('POST', '/account/verify', body);
          if (!result.ok) return result.problem;
          if (kept === undefined) {
            await call('POST', '/account/forgot-password', { Email });
            setDone({ hasPassword: false, back: {} });
            return undefined;
          }
          forgetRegistration(() => localStorage);
          if (await signIn(Email)) openAccount();
          else setDone({ hasPassword: true, back: kept.back ?? {} });
          return undefined;
        }}
      >
        {account === '' && <EmailField name="Email" />}
        {!isLinked && (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
        )}
      </Form>
      <SendAgain
        path="/account/resend-verification"
        email={account === '' ? email : account}
        words={{ send: 'verify.another', sent: 'verify.another.sent' }}
      >
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SendAgain>
    </Page>
  );
}

function Confirmed({ hasPassword, back }: { hasPassword: boolean; back: Return }) {
  const text = useText();
  const { email } = usePageState();
  if (!hasPassword) {
    return (
      <Page title={text('verify.done.title')} lead={text('verify.choose.lead', { email })}>
        <ButtonLink href={PATHS.resetPassword} kind="primary" wide>
          {text('reset.title')}
        </ButtonLink>
      </Page>
    );
  }
  return (
    <Page title={text('verify.done.title')} lead={text('verify.done.lead', { email })}>
      <ButtonLink href={onTheWay(PATHS.login, back)} kind="primary" wide>
        {text('verify.done.login')}
      </ButtonLink>
    </Page>
  );
}

function leadOf(text: Text, email: string, isLinked: boolean): string {
  if (isLinked) return text('verify.linked', { email });
  return email === '' ? text('verify.lead') : text('verify.lead.email', { email });
}
