import { useLocation } from 'preact-iso';
import { call } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { useText } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { EmailField } from '../email-field.tsx';
import { useOpenAccount } from '../login/open-account.ts';
import { signInAnew } from '../login/sign-in-anew.ts';
import { usePageState, useFragment } from '../page-state.ts';
import { PATHS } from '../paths.ts';

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
