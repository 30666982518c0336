import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { EmailField } from '../fields.tsx';
import { useOpenAccount } from '../login/destination.ts';
import { signInAnew } from '../login/steps.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** Requests a code by mail. The result looks the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const text = useText();
  const { email, setEmail } = usePageState();
  const [isSent, setSent] = useState(false);
  if (isSent) {
    return (
      <Page title={text('forgot.sent.title')} lead={text('forgot.sent.lead', { email })}>
        <ButtonLink href={PATHS.resetPassword} kind="primary" wide>
          {text('forgot.sent.code')}
        </ButtonLink>
        <SecondaryActions>
          <a href={PATHS.login}>{text('ways.login')}</a>
        </SecondaryActions>
      </Page>
    );
  }
  return (
    <Page title={text('forgot.title')} lead={text('forgot.lead')}>
      <Form
        submit={text('forgot.submit')}
        onSubmit={async ({ Email = '' }) => {
          setEmail(Email);
          const result = await call('POST', '/account/forgot-password', { Email });
          if (!result.ok) return result.problem;
          setSent(true);
          return undefined;
        }}
      >
        <EmailField name="Email" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}

/** Sets a new password, with the code of a mail: from its link, or typed. */
export function ResetPasswordPage() {
  const text = useText();
  const { email, setEmail, setReset } = usePageState();
  const { Email: linkedEmail, Code: linkedCode } = useFragment();
  const [known] = useState(email);
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('reset.done.title')} lead={text('reset.done.lead')}>
        <ButtonLink href={LOGIN} kind="primary" wide>
          {text('login.title')}
        </ButtonLink>
      </Page>
    );
  }
  const account = linkedEmail ?? known;
  const lead = account === '' ? text('reset.lead') : text('reset.lead.email', { email: account });
  return (
    <Page title={text('reset.title')} lead={lead}>
      <Form
        key={linkedCode ?? ''}
        submit={text('reset.submit')}
        onSubmit={async ({ Email = account, Code = linkedCode, Password }) => {
          setEmail(Email);
          const result = await call('POST', '/account/reset-password', { Email, Code, Password });
          if (!result.ok) return result.problem;
          setReset(true);
          setDone(true);
          return undefined;
        }}
      >
        {account === '' ? (
          <EmailField name="Email" />
        ) : (
          // Tells password managers which account the password belongs to.
          <input hidden type="email" name="Email" autocomplete="username" value={account} readOnly />
        )}
        {linkedCode === undefined && (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
        )}
        <PasswordField name="Password" label={text('field.newPassword')} purpose="new" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.forgotPassword}>{text('reset.another')}</a>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
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
  const { Email: linkedEmail, Code: linkedCode } = useFragment();
  const lead =
    linkedEmail === undefined ? text('complete.lead') : text('complete.lead.email', { email: linkedEmail });
  return (
    <Page title={text('complete.title')} lead={lead}>
      <Form
        key={linkedCode ?? ''}
        submit={text('complete.submit')}
        explanations={{ invalid_code: 'complete.invalid' }}
        onSubmit={async ({
          Email = linkedEmail ?? '',
          Code = linkedCode,
          DisplayName = '',
          Password = '',
        }) => {
          setEmail(Email);
          const name = DisplayName.trim();
          const body = { Email, Code, Password, Locale, ...(name !== '' && { DisplayName: name }) };
          const result = await call('POST', '/account/reset-password', body);
          if (!result.ok) return result.problem;
          if (await signInAnew(Email, Password)) openAccount();
          else route(PATHS.login, true);
          return undefined;
        }}
      >
        {linkedEmail === undefined ? (
          <EmailField name="Email" />
        ) : (
          // Tells password managers which account the password belongs to.
          <input hidden type="email" name="Email" autocomplete="username" value={linkedEmail} readOnly />
        )}
        {linkedCode === undefined && (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
        )}
        <Field
          name="DisplayName"
          label={text('field.name')}
          hint={text('complete.name.hint')}
          autocomplete="name"
        />
        <PasswordField name="Password" label={text('field.password')} purpose="new" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.forgotPassword}>{text('reset.another')}</a>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
