import type { RenewRecoveryCodesResponse, TwoFactorSetup, TwoFactorSetupStarted } from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../ui/api.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Step } from '../../ui/page.tsx';
import { Row } from '../../ui/row.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../../ui/two-factor.tsx';
import { useAccount, useOwnCall } from '../account/own-account.tsx';
import { TwoFactorCodeField } from '../parts.tsx';
import { OtherSessions } from '../sessions/sessions.tsx';

export function TwoFactorRow() {
  const { profile, reload } = useAccount();
  const [step, setStep] = useState<TwoFactorStep>({ kind: 'still' });
  const [changes, setChanges] = useState(0);
  const still = (): void => setStep({ kind: 'still' });
  const done = (): void => {
    still();
    setChanges(changes + 1);
    void reload();
  };
  const { TwoFactorEnabled: isOn } = profile;
  return (
    <Row
      icon={<PhoneIcon />}
      title={text('twoFactor.title')}
      state={<State />}
      action={{
        words: text(isOn ? 'row.manage' : 'twoFactor.setUp'),
        onPress: () => setStep({ kind: isOn ? 'standing' : 'proof' }),
      }}
      // Recovery codes are shown only once: they have to be acknowledged.
      onCancel={step.kind === 'codes' ? undefined : still}
      isList={step.kind === 'standing'}
      notice={changes > 0 && <OtherSessions key={changes} />}
      lead={step.kind === 'proof' ? text('twoFactor.lead') : undefined}
    >
      {step.kind === 'standing' && <Standing onStep={setStep} />}
      {step.kind === 'proof' && <ProofStep onStep={setStep} />}
      {step.kind === 'secret' && <SecretStep setup={step.setup} onStep={setStep} />}
      {step.kind === 'codes' && (
        <Step title={text('recovery.title')} lead={text('recovery.lead')}>
          <RecoveryCodes codes={step.codes} onDone={done} />
        </Step>
      )}
      {step.kind === 'renewal' && (
        <OwnCodeStep purpose="renewal" onDone={(codes) => setStep({ kind: 'codes', codes })} />
      )}
      {step.kind === 'removal' && <OwnCodeStep purpose="removal" onDone={done} />}
    </Row>
  );
}

function State() {
  const { TwoFactorEnabled, RecoveryCodesLeft: count } = useAccount().profile;
  if (!TwoFactorEnabled) return <>{text('twoFactor.off')}</>;
  return (
    <>
      <p>{text('twoFactor.on')}</p>
      <p>{text(count < FEW ? 'twoFactor.few' : 'twoFactor.left', { count })}</p>
    </>
  );
}

/** If fewer codes than this are left, the page warns: without the phone, the owner may soon be locked out. */
const FEW = 3;

/** What can be changed about a second factor that is enabled. */
function Standing({ onStep }: StepProps) {
  return (
    <>
      <div>
        <Button onClick={() => onStep({ kind: 'renewal' })}>{text('twoFactor.renew')}</Button>
      </div>
      {useAccount().profile.TwoFactorRequired ? (
        <p>{text('twoFactor.required')}</p>
      ) : (
        <div>
          <Button kind="danger" onClick={() => onStep({ kind: 'removal' })}>
            {text('twoFactor.remove')}
          </Button>
        </div>
      )}
    </>
  );
}

type TwoFactorStep =
  | { kind: 'still' }
  | { kind: 'standing' }
  | { kind: 'proof' }
  | { kind: 'secret'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'renewal' }
  | { kind: 'removal' };

interface StepProps {
  onStep: (step: TwoFactorStep) => void;
}

/** Setting up a second factor requires the password or, for an account without one, a mailed code. */
function ProofStep({ onStep }: StepProps) {
  const { HasPassword } = useAccount().profile;
  const ownCall = useOwnCall();
  const send = async (): Promise<void> => void (await call('POST /account/two-factor', {}));
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
        at={{ wrong_password: 'Password', invalid_code: 'Code' }}
        onSubmit={(shown) =>
          ownCall('POST /account/two-factor', shown, ({ TwoFactorSetup: setup }: TwoFactorSetupStarted) =>
            onStep({ kind: 'secret', setup }),
          )
        }
      >
        {HasPassword ? (
          <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
        ) : (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="off" required />
        )}
      </Form>
      {!HasPassword && (
        <div>
          <TextButton words={text('twoFactor.mail.again')} onPress={send} />
        </div>
      )}
    </Step>
  );
}

function SecretStep({ setup, onStep }: StepProps & { setup: TwoFactorSetup }) {
  const ownCall = useOwnCall();
  return (
    <Step title={text('twoFactor.secret.title')} lead={text('twoFactor.secret.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('twoFactor.secret.submit')}
        explanations={{ conflict: 'twoFactor.late' }}
        at={{ wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) =>
          ownCall('POST /account/two-factor', shown, ({ RecoveryCodes: codes }: RenewRecoveryCodesResponse) =>
            onStep({ kind: 'codes', codes }),
          )
        }
      >
        <TwoFactorCodeField />
      </Form>
    </Step>
  );
}

interface OwnCodeStepProps {
  /** Why the code is required: to get new recovery codes, or to remove the second factor. */
  purpose: 'renewal' | 'removal';
  onDone: (codes: readonly string[]) => void;
}

function OwnCodeStep({ purpose, onDone }: OwnCodeStepProps) {
  const ownCall = useOwnCall();
  const { operation, kind } = PURPOSES[purpose];
  return (
    <Step title={text(`twoFactor.${purpose}.title`)} lead={text(`twoFactor.${purpose}.lead`)}>
      <Form
        submit={text(`twoFactor.${purpose}.submit`)}
        kind={kind}
        explanations={{ forbidden: 'twoFactor.required' }}
        at={{ wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) =>
          ownCall(operation, shown, ({ RecoveryCodes: codes = [] }: Partial<RenewRecoveryCodesResponse>) =>
            onDone(codes),
          )
        }
      >
        <TwoFactorCodeField takesRecovery />
      </Form>
    </Step>
  );
}

const PURPOSES = {
  renewal: { operation: 'POST /account/recovery-codes', kind: 'primary' },
  removal: { operation: 'DELETE /account/two-factor', kind: 'danger' },
} as const;
