import { call } from '../../../ui/api/api.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { TwoFactorSecret } from '../../../ui/two-factor/two-factor-secret.tsx';
import { continueLogin, type LoginAnswer, type Step } from '../login-answer.ts';

interface SetUpStepProps {
  token: string;
  setup: { Secret: string; OtpAuthUri: string };
  keep: boolean;
  onStep: (step: Step) => void;
}

/** Sets up a required second factor during the sign-in. */
export function SetUpStep({ token, setup, keep, onStep }: SetUpStepProps) {
  const text = useText();
  return (
    <Page title={text('setUp.title')} lead={text('setUp.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('setUp.submit')}
        explanations={{ authentication_failed: 'login.code.failed' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const body = { TwoFactorToken: token, TwoFactorCode, Delivery: 'Cookie', KeepSignedIn: keep };
          const result = await call<LoginAnswer>('POST', '/account/login', body);
          return continueLogin(result, onStep);
        }}
      >
        <Field
          name="TwoFactorCode"
          label={text('field.code')}
          code
          inputMode="numeric"
          autocomplete="one-time-code"
          required
        />
      </Form>
    </Page>
  );
}
