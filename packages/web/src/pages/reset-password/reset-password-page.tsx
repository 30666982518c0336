import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { usePageState, useFragment } from '../page-state.ts';
import { EmailField } from '../email-field.tsx';
import { PATHS } from '../paths.ts';

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
