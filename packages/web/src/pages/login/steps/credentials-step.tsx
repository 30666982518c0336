import { call } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { MailIcon } from '../../../ui/icon.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Or } from '../../../ui/layout/or.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { PasswordField } from '../../../ui/form/password-field.tsx';
import { SecondaryActions } from '../../../ui/layout/secondary-actions.tsx';
import { AddressHint } from '../../../ui/passkey/address-hint.tsx';
import { PasskeyButton } from '../../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys } from '../../../ui/passkey/passkey.ts';
import { isEmailLoginOffered, type AccountOptions } from '../../account-options.ts';
import { usePageState } from '../../page-state.ts';
import { EmailField } from '../../email-field.tsx';
import { PATHS } from '../../paths.ts';
import { ProviderButtons } from '../../provider-buttons.tsx';
import { onTheWay, type Return } from '../destination.ts';
import { ContinueAs } from '../continue-as.tsx';
import { continueLogin, type LoginAnswer, type Step } from '../login-answer.ts';
import { EndingNotice } from './ending-notice.tsx';
import { usePasskeyAutofill } from '../passkey/use-passkey-autofill.ts';
import { usePasskeyLogin } from '../passkey/use-passkey-login.ts';

interface CredentialsStepProps {
  options: AccountOptions | undefined;
  onStep: (step: Step) => void;
  keep: boolean;
  onKeep: (keep: boolean) => void;
  /** Where to go after the login. */
  back: Return;
  /** Why a sign-on at an identity provider failed. */
  failure: string | undefined;
}

/** Asks for email and password, and offers the alternatives. */
export function CredentialsStep(props: CredentialsStepProps) {
  const { options, onStep, keep, onKeep, back, failure } = props;
  const text = useText();
  const { setEmail } = usePageState();
  const { sessionTag: SessionTag } = back;
  const passkey = usePasskeyLogin({ keep, SessionTag }, onStep);
  const autofill = usePasskeyAutofill(passkey, options?.Passkeys === true);
  const hasOtherWays =
    (options?.Passkeys === true && canUsePasskeys()) ||
    isEmailLoginOffered(options) ||
    (options?.Providers.length ?? 0) > 0;
  return (
    <Page title={text('login.title')} lead={text('login.lead')}>
      {failure === undefined ? <EndingNotice /> : <Notice meaning="danger">{failure}</Notice>}
      {failure === undefined && <ContinueAs onContinue={() => onStep({ kind: 'done' })} />}
      <Form
        submit={text('login.submit')}
        busyWords={text('login.busy')}
        explanations={{ authentication_failed: 'login.failed' }}
        onSubmit={async ({ Username = '', Password }) => {
          setEmail(Username);
          autofill.stop();
          const body = { Username, Password, SessionTag, Delivery: 'Cookie', KeepSignedIn: keep };
          const result = await call<LoginAnswer>('POST', '/account/login', body);
          return continueLogin(result, onStep);
        }}
      >
        <EmailField name="Username" autocomplete="username webauthn" onFocus={() => void autofill.start()} />
        <PasswordField name="Password" label={text('field.password')} purpose="current" />
        <Checkbox name="KeepSignedIn" onChange={onKeep}>
          {text('login.keep')}
        </Checkbox>
      </Form>
      {hasOtherWays && <Or />}
      {options?.Passkeys === true && (
        <>
          <PasskeyButton
            label={text('login.passkey')}
            failed={text('login.passkey.failed')}
            earlier={autofill.problem}
            onPress={async () => {
              autofill.stop();
              return passkey.login();
            }}
          />
          <AddressHint />
        </>
      )}
      {isEmailLoginOffered(options) && (
        <Button wide icon={<MailIcon />} onClick={() => onStep({ kind: 'email' })}>
          {text('login.email')}
        </Button>
      )}
      <ProviderButtons options={options} back={back} keep={keep} />
      <OtherPages options={options} back={back} />
    </Page>
  );
}

function OtherPages({ options, back }: Pick<CredentialsStepProps, 'options' | 'back'>) {
  const text = useText();
  return (
    <SecondaryActions>
      <a href={PATHS.forgotPassword}>{text('login.forgot')}</a>
      {options?.Registration !== 'closed' && (
        <a href={onTheWay(PATHS.register, back)}>{text('login.register')}</a>
      )}
    </SecondaryActions>
  );
}
