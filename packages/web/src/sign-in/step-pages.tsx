import { useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { Button, TextButton } from '../ui/button.tsx';
import { deviceName } from '../ui/device-name.ts';
import { CodeField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { text } from '../ui/locale.ts';
import { Fault } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { agoIn } from '../ui/time.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../ui/two-factor.tsx';
import { type Factor, type FactorStep, firstFactor, otherFactors, type SessionExists } from './answers.ts';
import { signWithPasskey } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface SecondFactorPageProps {
  step: FactorStep;
  send: (fields: object) => Promise<Problem | undefined>;
  onAgain: () => void;
}

/** Asks for the second factor, or sets one up: a code of the authenticator app, a passkey, or a recovery code. */
export function SecondFactorPage({ step, send, onAgain }: SecondFactorPageProps) {
  const { setup, passkey } = step;
  const [factor, setFactor] = useState<Factor>(() => firstFactor(step));
  const sendFactor = (shown: object) => send({ TwoFactorToken: step.token, ...shown });
  const words = setup ? 'setUp' : WORDS[factor];
  return (
    <Page
      title={text(`${words}.title`)}
      lead={text(`${words}.lead`)}
      ways={
        <>
          {otherFactors(step, factor).map((other) => (
            <TextButton key={other} words={text(`${WORDS[other]}.use`)} onPress={() => setFactor(other)} />
          ))}
          <TextButton words={text('login.again')} onPress={onAgain} />
        </>
      }
    >
      {setup && <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />}
      {factor !== 'Passkey' && (
        <Form
          key={factor}
          submit={text(setup ? 'setUp.submit' : 'login.code.submit')}
          explanations={{ authentication_failed: `${WORDS[factor]}.failed` }}
          onSubmit={sendFactor}
        >
          <CodeField
            label={text(factor === 'Totp' ? 'field.code' : 'field.recoveryCode')}
            autofocus={!setup}
            inputMode={factor === 'Totp' ? 'numeric' : 'text'}
            autocomplete={factor === 'Totp' ? 'one-time-code' : 'off'}
          />
        </Form>
      )}
      {passkey && (
        <PasskeyButton
          label={text('login.passkey.use')}
          failed={text('login.passkey.again')}
          kind={factor === 'Passkey' ? 'primary' : 'quiet'}
          onPress={async () => {
            const Credential = await signWithPasskey(passkey);
            return Credential && sendFactor({ Credential });
          }}
        />
      )}
    </Page>
  );
}

const WORDS = { Totp: 'login.code', RecoveryCode: 'login.recovery', Passkey: 'login.passkey' } as const;

/** Shows the recovery codes, once only: the user must confirm that they are stored before continuing. */
export function RecoveryCodesPage({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Page>
  );
}

interface SessionExistsPageProps {
  exists: SessionExists;
  onTakeOver: () => Promise<Problem | undefined>;
  onAgain: () => void;
}

/** Asks whether to end another session, where an account may only have a few. */
export function SessionExistsPage({ exists: { active }, onTakeOver, onAgain }: SessionExistsPageProps) {
  const [problem, setProblem] = useState<Problem>();
  const [first] = active;
  const facts = {
    device: (first && deviceName(first)) ?? text('sessionExists.unknown'),
    time: agoIn(first?.LastSeenAt) || text('sessionExists.now'),
    count: String(active.length),
  };
  return (
    <Page
      title={text('sessionExists.title')}
      lead={text(active.length > 1 ? 'sessionExists.several' : 'sessionExists.lead', facts)}
      ways={<TextButton words={text('login.again')} onPress={onAgain} />}
    >
      <Fault
        problem={problem}
        explanations={{ authentication_failed: 'sessionExists.failed', invalid_code: 'sessionExists.failed' }}
      />
      <Button
        kind="primary"
        wide
        busyWords={text('login.busy')}
        onClick={async () => setProblem(await onTakeOver())}
      >
        {text('sessionExists.submit')}
      </Button>
    </Page>
  );
}
