import type { ComponentChildren } from 'preact';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { TwoFactorSecret } from '../../ui/two-factor/two-factor-secret.tsx';
import { useWords } from '../text.ts';
import { takeStep, type Setup, type Step } from './step.ts';

interface CodeStepProps {
  token: string;
  setup: Setup | undefined;
  isRecovery: boolean;
  onStep: (step: Step) => void;
  /** Buttons for the other second factors, and to start again. */
  children: ComponentChildren;
}

/** The second factor: a code of the authenticator app (the first one during its setup), or a recovery code. */
export function CodeStep({ token, setup, isRecovery, onStep, children }: CodeStepProps) {
  const words = useWords();
  const about = setup ? 'setUp' : isRecovery ? 'login.recovery' : 'login.code';
  return (
    <Page title={words(`${about}.title`)} lead={words(`${about}.lead`)}>
      {setup && <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />}
      <Form
        submit={words(setup ? 'setUp.submit' : 'login.code.submit')}
        explanations={{ authentication_failed: isRecovery ? 'login.recovery.failed' : 'login.code.failed' }}
        onSubmit={({ TwoFactorCode }) => takeStep({ TwoFactorToken: token, TwoFactorCode }, onStep)}
      >
        <Field
          name="TwoFactorCode"
          label={words(isRecovery ? 'field.recoveryCode' : 'field.code')}
          code
          inputMode={isRecovery ? 'text' : 'numeric'}
          autocomplete={isRecovery ? 'off' : 'one-time-code'}
          required
        />
      </Form>
      <SecondaryActions>{children}</SecondaryActions>
    </Page>
  );
}
