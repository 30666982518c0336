import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { TwoFactorSecret } from '../../ui/two-factor-secret.tsx';
import { useWords } from '../text.ts';
import { takeStep, type Step } from './step.ts';

interface CodeStepProps {
  step: Extract<Step, { kind: 'code' }>;
  onStep: (step: Step) => void;
}

/** The second factor: a code of the app, a recovery code, or the first code of an app that is being set up. */
export function CodeStep({ step: { token, setup }, onStep }: CodeStepProps) {
  const words = useWords();
  const [isLost, setLost] = useState(false);
  const about = setup ? 'setUp' : isLost ? 'login.recovery' : 'login.code';
  return (
    <Page title={words(`${about}.title`)} lead={words(`${about}.lead`)}>
      {setup && <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />}
      <Form
        key={String(isLost)}
        submit={words(setup ? 'setUp.submit' : 'login.code.submit')}
        explanations={{ authentication_failed: isLost ? 'login.recovery.failed' : 'login.code.failed' }}
        onSubmit={({ TwoFactorCode }) => takeStep({ TwoFactorToken: token, TwoFactorCode }, onStep)}
      >
        <Field
          name="TwoFactorCode"
          label={words(isLost ? 'field.recoveryCode' : 'field.code')}
          code
          inputMode={isLost ? 'text' : 'numeric'}
          autocomplete={isLost ? 'off' : 'one-time-code'}
          required
        />
      </Form>
      <QuietWays>
        {!setup && (
          <Button kind="text" onClick={() => setLost(!isLost)}>
            {words(isLost ? 'login.code.use' : 'login.recovery.use')}
          </Button>
        )}
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {words('login.again')}
        </Button>
      </QuietWays>
    </Page>
  );
}
