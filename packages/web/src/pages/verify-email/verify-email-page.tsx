import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText, type Text } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useOpenAccount } from '../login/open-account.ts';
import { usePageState, useFragment } from '../page-state.ts';
import { EmailField } from '../email-field.tsx';
import { PATHS } from '../paths.ts';
import { onTheWay, type Return } from '../login/destination.ts';
import { forgetRegistration, keptRegistration } from '../register/kept-registration.ts';
import { useSignInOfRegistered } from '../register/registered-tab.ts';
import { SendAgain } from '../send-again.tsx';

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
