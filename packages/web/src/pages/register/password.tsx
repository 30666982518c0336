import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { post } from '../../ui/api.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { usePageData, useText } from '../../ui/locale.ts';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { DonePage, LinkPage } from '../link-page.tsx';
import { useOpenAccount } from '../login/destination.ts';
import { signInAnew } from '../login/steps.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { EmailField, LoginLink, NameField, typedName } from '../parts.tsx';
import { PATHS } from '../paths.ts';

/** Requests a code by mail. The result looks the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const text = useText();
  const { email, setEmail } = usePageState();
  const [isSent, setSent] = useState(false);
  if (isSent) {
    return (
      <DonePage
        title={text('forgot.sent.title')}
        lead={text('forgot.sent.lead', { email })}
        href={PATHS.resetPassword}
        next={text('forgot.sent.code')}
      >
        <LoginLink />
      </DonePage>
    );
  }
  return (
    <Page title={text('forgot.title')} lead={text('forgot.lead')}>
      <Form
        submit={text('forgot.submit')}
        onSubmit={async ({ Email = '' }) => {
          setEmail(Email);
          return post('/account/forgot-password', { Email }, () => setSent(true));
        }}
      >
        <EmailField />
      </Form>
      <SecondaryActions>
        <LoginLink />
      </SecondaryActions>
    </Page>
  );
}

/** Sets a new password, with the code of a mail: from its link, or typed. */
export function ResetPasswordPage() {
  const text = useText();
  const { email, setEmail, setReset } = usePageState();
  const { Email: linkedEmail, Code } = useFragment();
  const [known] = useState(email);
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <DonePage
        title={text('reset.done.title')}
        lead={text('reset.done.lead')}
        href={LOGIN}
        next={text('login.title')}
      />
    );
  }
  const account = linkedEmail ?? known;
  return (
    <LinkPage
      words="reset"
      lead={account === '' ? text('reset.lead') : text('reset.lead.email', { email: account })}
      email={account}
      code={Code}
      fields={<PasswordField name="Password" label={text('field.newPassword')} purpose="new" />}
      onSend={async (body) => {
        setEmail(body['Email'] ?? '');
        return post('/account/reset-password', body, () => {
          setReset(true);
          setDone(true);
        });
      }}
    >
      <AnotherCode />
    </LinkPage>
  );
}

/** The page after it shows the other ways to sign in, which a reset does not remove. */
const LOGIN = `${PATHS.login}?returnUrl=${encodeURIComponent(PATHS.profileSecurity)}`;

/** Lets the owner of an account that an administrator created choose a name and a password, and signs them in. */
export function CompleteAccountPage() {
  const text = useText();
  const { route } = useLocation();
  const { Locale } = usePageData();
  const openAccount = useOpenAccount();
  const { setEmail } = usePageState();
  const { Email: linkedEmail, Code } = useFragment();
  return (
    <LinkPage
      words="complete"
      lead={
        linkedEmail === undefined
          ? text('complete.lead')
          : text('complete.lead.email', { email: linkedEmail })
      }
      email={linkedEmail ?? ''}
      code={Code}
      explanations={{ invalid_code: 'complete.invalid' }}
      fields={
        <>
          <NameField hint="complete.name.hint" />
          <PasswordField name="Password" label={text('field.password')} purpose="new" />
        </>
      }
      onSend={async ({ DisplayName, Email = '', Password = '', ...values }) => {
        setEmail(Email);
        const body = { ...values, Email, Password, Locale, ...typedName(DisplayName) };
        return post('/account/reset-password', body, async () => {
          if (await signInAnew(Email, Password)) openAccount();
          else route(PATHS.login, true);
        });
      }}
    >
      <AnotherCode />
    </LinkPage>
  );
}

/** The ways on for whom the code does not work. */
function AnotherCode() {
  const text = useText();
  return (
    <SecondaryActions>
      <a href={PATHS.forgotPassword}>{text('reset.another')}</a>
      <LoginLink />
    </SecondaryActions>
  );
}
