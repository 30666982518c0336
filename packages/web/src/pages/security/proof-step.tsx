import { useEffect } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { atField, useSignedOut, type Profile } from '../account/own-account.ts';
import type { TwoFactorStep } from './two-factor-step.ts';

interface ProofStepProps {
  profile: Profile;
  onStep: (step: TwoFactorStep) => void;
}

/** Setting up a second factor requires the password or, for an account without one, a mailed code. */
export function ProofStep({ profile: { HasPassword }, onStep }: ProofStepProps) {
  const text = useText();
  const leave = useSignedOut();
  const send = async (): Promise<void> => void (await call('POST', '/account/two-factor', {}));
  useEffect(() => {
    if (!HasPassword) void send();
  }, [HasPassword]);
  return (
    <Step
      title={text(HasPassword ? 'twoFactor.password.title' : 'twoFactor.mail.title')}
      lead={text(HasPassword ? 'twoFactor.password.lead' : 'twoFactor.mail.lead')}
    >
      <Form
        submit={text('twoFactor.continue')}
        onSubmit={async ({ Password, Code }) => {
          const shown = HasPassword ? { Password } : { Code };
          const result = await call<Setup>('POST', '/account/two-factor', shown);
          if (result.ok) onStep({ kind: 'secret', setup: result.value.TwoFactorSetup });
          else if (!leave(result.problem))
            return atField(result.problem, { wrong_password: 'Password', invalid_code: 'Code' });
          return undefined;
        }}
      >
        {HasPassword ? (
          <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
        ) : (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="off" required />
        )}
      </Form>
      {!HasPassword && (
        <div>
          <Button kind="text" onClick={send}>
            {text('twoFactor.mail.again')}
          </Button>
        </div>
      )}
    </Step>
  );
}

interface Setup {
  TwoFactorSetup: { Secret: string; OtpAuthUri: string };
}
