import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { useText } from '../../ui/locale.ts';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { signWithPasskey } from '../../sign-in/passkey.ts';
import { PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../../ui/two-factor.tsx';
import { TwoFactorCodeField } from '../parts.tsx';
import { type Factor, firstFactor, otherFactors, type StepProps } from './steps.ts';

/** Asks for the second factor: a code of the authenticator app, a passkey, or a recovery code. */
export function SecondFactorStep({ step: { token, factors }, login }: StepProps<'second-factor'>) {
  const text = useText();
  const [factor, setFactor] = useState<Factor>(() => firstFactor(factors));
  const send = (shown: object) => login.send({ TwoFactorToken: token, ...shown });
  const { passkey } = factors;
  const words = WORDS[factor];
  return (
    <Page title={text(words.title)} lead={text(words.lead)}>
      {factor !== 'Passkey' && (
        <Form
          key={factor}
          submit={text('login.code.submit')}
          explanations={{ authentication_failed: WORDS[factor].failed }}
          onSubmit={send}
        >
          <Field
            name="TwoFactorCode"
            code
            required
            autofocus
            {...INPUTS[factor]}
            label={text(WORDS[factor].field)}
          />
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
        <Button kind="text" onClick={() => login.go({ kind: 'credentials' })}>
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

/** Sets up a required second factor during the sign-in. */
export function TwoFactorSetupStep({ step: { token, setup }, login }: StepProps<'two-factor-setup'>) {
  const text = useText();
  return (
    <Page title={text('setUp.title')} lead={text('setUp.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('setUp.submit')}
        explanations={{ authentication_failed: 'login.code.failed' }}
        onSubmit={(shown) => login.send({ TwoFactorToken: token, ...shown })}
      >
        <TwoFactorCodeField />
      </Form>
    </Page>
  );
}

/** Shows the recovery codes, once only: the user must confirm that they are stored before continuing. */
export function RecoveryCodesStep({ step, login }: StepProps<'recovery-codes'>) {
  const text = useText();
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={step.codes} onDone={() => login.go({ kind: 'done' })} />
    </Page>
  );
}
