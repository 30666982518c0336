import { call } from '../../ui/api/api.ts';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Step } from '../../ui/layout/step.tsx';
import { TwoFactorSecret } from '../../ui/two-factor/two-factor-secret.tsx';
import { atField, useSignedOut } from '../account/own-account.ts';
import { OwnCodeField } from './own-code-field.tsx';
import type { TwoFactorStep } from './two-factor-step.ts';

interface SecretStepProps {
  setup: { Secret: string; OtpAuthUri: string };
  onStep: (step: TwoFactorStep) => void;
}

/** Shows the secret for the authenticator app, and asks for a first code. */
export function SecretStep({ setup, onStep }: SecretStepProps) {
  const text = useText();
  const leave = useSignedOut();
  return (
    <Step title={text('twoFactor.secret.title')} lead={text('twoFactor.secret.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('twoFactor.secret.submit')}
        explanations={{ conflict: 'twoFactor.late' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const result = await call<{ RecoveryCodes: string[] }>('POST', '/account/two-factor', {
            TwoFactorCode,
          });
          if (result.ok) onStep({ kind: 'codes', codes: result.value.RecoveryCodes });
          else if (!leave(result.problem)) return atField(result.problem, { wrong_code: 'TwoFactorCode' });
          return undefined;
        }}
      >
        <OwnCodeField takesRecovery={false} />
      </Form>
    </Step>
  );
}
