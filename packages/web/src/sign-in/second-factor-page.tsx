import { useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { text } from '../ui/locale.ts';
import { Page, SecondaryActions } from '../ui/page.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../ui/two-factor.tsx';
import { signWithPasskey } from './passkey.ts';
import { AddressHint, PasskeyButton } from './passkey-button.tsx';
import { type Factor, type FactorStep, firstFactor, otherFactors } from './second-factor.ts';

interface SecondFactorPageProps {
  step: FactorStep;
  /** Sends the login's next fields. Returns the error if they are refused. */
  send: (fields: object) => Promise<Problem | undefined>;
  onAgain: () => void;
}

/** Asks for the second factor, or sets one up: a code of the authenticator app, a passkey, or a recovery code. */
export function SecondFactorPage({ step, send, onAgain }: SecondFactorPageProps) {
  const setup = step.kind === 'two-factor-setup' ? step.setup : undefined;
  const factors = step.kind === 'second-factor' ? step.factors : { names: ['Totp'] };
  const [factor, setFactor] = useState<Factor>(() => firstFactor(factors));
  const { passkey } = factors;
  const sendFactor = (shown: object) => send({ TwoFactorToken: step.token, ...shown });
  const words = setup ? SETUP : WORDS[factor];
  return (
    <Page title={text(words.title)} lead={text(words.lead)}>
      {setup && <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />}
      {factor !== 'Passkey' && (
        <Form
          key={factor}
          submit={text(setup ? 'setUp.submit' : 'login.code.submit')}
          explanations={{ authentication_failed: WORDS[factor].failed }}
          onSubmit={sendFactor}
        >
          <Field
            name="TwoFactorCode"
            code
            required
            autofocus={!setup}
            {...INPUTS[factor]}
            label={text(WORDS[factor].field)}
          />
        </Form>
      )}
      {passkey && (
        <>
          <PasskeyButton
            label={text('login.passkey.use')}
            failed={text('login.passkey.again')}
            kind={factor === 'Passkey' ? 'primary' : 'quiet'}
            onPress={async () => {
              const Credential = await signWithPasskey(passkey);
              return Credential && sendFactor({ Credential });
            }}
          />
          <AddressHint />
        </>
      )}
      <SecondaryActions>
        {otherFactors(factors, factor).map((other) => (
          <Button key={other} kind="text" onClick={() => setFactor(other)}>
            {text(WORDS[other].use)}
          </Button>
        ))}
        <Button kind="text" onClick={onAgain}>
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

const SETUP = { title: 'setUp.title', lead: 'setUp.lead' } as const;

const INPUTS = {
  Totp: { inputMode: 'numeric', autocomplete: 'one-time-code' },
  RecoveryCode: { inputMode: 'text', autocomplete: 'off' },
} as const;

/** Shows the recovery codes, once only: the user must confirm that they are stored before continuing. */
export function RecoveryCodesPage({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Page>
  );
}
