import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { signWithPasskey } from '../../ui/passkey/passkey.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import { TwoFactorSecret } from '../../ui/two-factor/two-factor-secret.tsx';
import {
  continueLogin,
  type Factor,
  firstFactor,
  type LoginAnswer,
  otherFactors,
  type SecondFactors,
  type Step,
} from './steps.ts';

interface CodeStepProps {
  token: string;
  factors: SecondFactors;
  keep: boolean;
  onStep: (step: Step) => void;
}

/** Asks for the second factor: a code of the authenticator app, a passkey, or a recovery code. */
export function CodeStep({ token, factors, keep, onStep }: CodeStepProps) {
  const text = useText();
  const [factor, setFactor] = useState<Factor>(() => firstFactor(factors));
  const send = async (shown: object): Promise<Problem | undefined> => {
    const body = { TwoFactorToken: token, ...shown, Delivery: 'Cookie', KeepSignedIn: keep };
    return continueLogin(await call<LoginAnswer>('POST', '/account/login', body), onStep);
  };
  const { passkey } = factors;
  const words = WORDS[factor];
  return (
    <Page title={text(words.title)} lead={text(words.lead)}>
      {factor !== 'Passkey' && (
        <Form
          key={factor}
          submit={text('login.code.submit')}
          explanations={{ authentication_failed: WORDS[factor].failed }}
          onSubmit={async ({ TwoFactorCode }) => send({ TwoFactorCode })}
        >
          <Field name="TwoFactorCode" code required {...INPUTS[factor]} label={text(WORDS[factor].field)} />
        </Form>
      )}
      {passkey !== undefined && (
        <PasskeyButton
          label={text('login.passkey.use')}
          failed={text('login.passkey.again')}
          kind={factor === 'Passkey' ? 'primary' : 'quiet'}
          onPress={async () => {
            const Credential = await signWithPasskey(passkey);
            return Credential && send({ Credential });
          }}
        />
      )}
      <SecondaryActions>
        {otherFactors(factors, factor).map((other) => (
          <Button key={other} kind="text" onClick={() => setFactor(other)}>
            {text(WORDS[other].use)}
          </Button>
        ))}
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.again')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}

const WORDS = {
  Totp: {
    title: 'login.code.title',
    lead: 'login.code.lead',
    use: 'login.code.use',
    failed: 'login.code.failed',
    field: 'field.code',
  },
  RecoveryCode: {
    title: 'login.recovery.title',
    lead: 'login.recovery.lead',
    use: 'login.recovery.use',
    failed: 'login.recovery.failed',
    field: 'field.recoveryCode',
  },
  Passkey: { title: 'login.passkey.title', lead: 'login.passkey.lead', use: 'login.passkey.use' },
} as const;

const INPUTS = {
  Totp: { inputMode: 'numeric', autocomplete: 'one-time-code' },
  RecoveryCode: { inputMode: 'text', autocomplete: 'off' },
} as const;

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

/** Shows the recovery codes, once only: the user must confirm that they are stored before continuing. */
export function RecoveryCodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = useText();
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Page>
  );
}
