import { useLocation } from 'preact-iso';
import { call } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { Or } from '../../ui/layout/or.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useAccountOptions } from '../account-options.ts';
import { ContinueAs } from '../login/continue-as.tsx';
import { onTheWay, returnIn } from '../login/destination.ts';
import { usePageState } from '../page-state.ts';
import { EmailField } from '../email-field.tsx';
import { PATHS } from '../paths.ts';
import { ProviderButtons } from '../provider-buttons.tsx';
import { keepRegistration } from './kept-registration.ts';

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
