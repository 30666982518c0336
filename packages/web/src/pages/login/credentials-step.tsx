import { call } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Form } from '../../ui/form.tsx';
import { useText } from '../../ui/locale.ts';
import { Page } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { useAccountOptions } from '../account-options.ts';
import { useCarried } from '../carried.ts';
import { EmailField } from '../email-field.tsx';
import { PATHS } from '../paths.ts';
import { handOn, type LoginAnswer, type Step } from './login-answer.ts';
import { EndingNotice } from './ending-notice.tsx';

interface CredentialsStepProps {
  onStep: (step: Step) => void;
  onKeep: (keep: boolean) => void;
}

/** Email and password, and the ways of those who have none. */
export function CredentialsStep({ onStep, onKeep }: CredentialsStepProps) {
  const text = useText();
  const options = useAccountOptions();
  const { setEmail } = useCarried();
  return (
    <Page title={text('login.title')} lead={text('login.lead')}>
      <EndingNotice />
      <Form
        submit={text('login.submit')}
        explanations={{ authentication_failed: 'login.failed' }}
        onSubmit={async ({ Username = '', Password, KeepSignedIn }) => {
          const keep = KeepSignedIn !== undefined;
          setEmail(Username);
          onKeep(keep);
          const body = { Username, Password, Delivery: 'Cookie', KeepSignedIn: keep };
          const result = await call<LoginAnswer>('POST', '/account/login', body);
          return handOn(result, onStep);
        }}
      >
        <EmailField name="Username" autocomplete="username webauthn" />
        <PasswordField name="Password" label={text('field.password')} purpose="current" />
        <Checkbox name="KeepSignedIn">{text('login.keep')}</Checkbox>
      </Form>
      {options?.Providers.map(({ Id, Name, Url }) => (
        <ButtonLink key={Id} href={Url} wide>
          {text('login.provider', { provider: Name })}
        </ButtonLink>
      ))}
      <QuietWays>
        <a href={PATHS.forgotPassword}>{text('login.forgot')}</a>
        {options?.Registration !== 'closed' && <a href={PATHS.register}>{text('login.register')}</a>}
      </QuietWays>
    </Page>
  );
}
