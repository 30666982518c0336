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
import { forgetRegistration, keptRegistrationToken } from '../register/kept-registration.ts';
import { useSignInOfRegistered } from '../register/registered-tab.ts';
import { SendAgain } from '../send-again.tsx';

/**
 * Confirms an email address: with one click if the link contained address and code, else with the code of the mail. The
 * password stays only in the browser that registered it: anybody can register an address, and have the mail sent. That
 * browser is then signed in.
 */
export function VerifyEmailPage() {
  const text = useText();
  const { email, setEmail } = usePageState();
  const { Email: linkedEmail, Code: linkedCode } = useFragment();
  // If the address is already known, its field is not shown. Typing an address must not hide the field.
  const [known] = useState(email);
  const [done, setDone] = useState<'with_password' | 'without_password'>();
  const openAccount = useOpenAccount();
  const signIn = useSignInOfRegistered(openAccount);
  if (done !== undefined) return <Confirmed hasPassword={done === 'with_password'} />;
  const isLinked = linkedEmail !== undefined && linkedCode !== undefined;
  const account = linkedEmail ?? known;
  const tokenOf = (address: string) => keptRegistrationToken(address, () => localStorage);
  return (
    <Page title={text('verify.title')} lead={leadOf(text, account, isLinked)}>
      {account !== '' && tokenOf(account) === undefined && (
        <Notice meaning="information">{text('verify.elsewhere')}</Notice>
      )}
      <Form
        key={linkedCode ?? ''}
        submit={text('verify.submit')}
        onSubmit={async ({ Email = account, Code = linkedCode }) => {
          setEmail(Email);
          const RegistrationToken = tokenOf(Email);
          const body = { Email, Code, RegistrationToken: RegistrationToken ?? '' };
          const result = await call('POST', '/account/verify', body);
          if (!result.ok) return result.problem;
          if (RegistrationToken === undefined) {
            await call('POST', '/account/forgot-password', { Email });
            setDone('without_password');
            return undefined;
          }
          forgetRegistration(() => localStorage);
          if (await signIn(Email)) openAccount();
          else setDone('with_password');
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

function Confirmed({ hasPassword }: { hasPassword: boolean }) {
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
      <ButtonLink href={PATHS.login} kind="primary" wide>
        {text('verify.done.login')}
      </ButtonLink>
    </Page>
  );
}

function leadOf(text: Text, email: string, isLinked: boolean): string {
  if (isLinked) return text('verify.linked', { email });
  return email === '' ? text('verify.lead') : text('verify.lead.email', { email });
}
