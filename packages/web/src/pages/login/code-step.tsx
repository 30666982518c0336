import { useState } from 'preact/hooks';
import { call } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useText } from '../../ui/locale.ts';
import { Page } from '../../ui/page.tsx';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { handOn, type LoginAnswer, type Step } from './login-answer.ts';

interface CodeStepProps {
  token: string;
  keep: boolean;
  onStep: (step: Step) => void;
}

/** The second factor: a code of the app, or a recovery code. */
export function CodeStep({ token, keep, onStep }: CodeStepProps) {
  const text = useText();
  const [isLost, setLost] = useState(false);
  return (
    <Page
      title={text(isLost ? 'login.recovery.title' : 'login.code.title')}
      lead={text(isLost ? 'login.recovery.lead' : 'login.code.lead')}
    >
      <Form
        key={String(isLost)}
        submit={text('login.code.submit')}
        explanations={{ authentication_failed: isLost ? 'login.recovery.failed' : 'login.code.failed' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const body = { TwoFactorToken: token, TwoFactorCode, Delivery: 'Cookie', KeepSignedIn: keep };
          const result = await call<LoginAnswer>('POST', '/account/login', body);
          return handOn(result, onStep);
        }}
      >
        <Field
          name="TwoFactorCode"
          label={text(isLost ? 'field.recoveryCode' : 'field.code')}
          code
          inputMode={isLost ? 'text' : 'numeric'}
          autocomplete={isLost ? 'off' : 'one-time-code'}
          required
        />
      </Form>
      <QuietWays>
        <Button kind="text" onClick={() => setLost(!isLost)}>
          {text(isLost ? 'login.code.use' : 'login.recovery.use')}
        </Button>
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.again')}
        </Button>
      </QuietWays>
    </Page>
  );
}
