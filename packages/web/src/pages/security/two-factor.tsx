import type {
  Profile,
  RenewRecoveryCodesResponse,
  TwoFactorSetup,
  TwoFactorSetupStarted,
} from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Step } from '../../ui/page.tsx';
import { Row } from '../../ui/row.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../../ui/two-factor.tsx';
import { useOwnCall } from '../account/own-account.tsx';
import { TwoFactorCodeField } from '../parts.tsx';
import { OtherSessions } from '../sessions/end-sessions.tsx';

export function TwoFactorRow({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
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
      state={<State profile={profile} />}
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
      {step.kind === 'standing' && <Standing profile={profile} onStep={setStep} />}
      {step.kind === 'proof' && <ProofStep profile={profile} onStep={setStep} />}
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

function State({ profile: { TwoFactorEnabled, RecoveryCodesLeft: count } }: { profile: Profile }) {
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
function Standing({ profile, onStep }: { profile: Profile; onStep: (step: TwoFactorStep) => void }) {
  return (
    <>
      <div>
        <Button onClick={() => onStep({ kind: 'renewal' })}>{text('twoFactor.renew')}</Button>
      </div>
      {profile.TwoFactorRequired ? (
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

interface ProofStepProps {
  profile: Profile;
  onStep: (step: TwoFactorStep) => void;
}

/** Setting up a second factor requires the password or, for an account without one, a mailed code. */
function ProofStep({ profile: { HasPassword }, onStep }: ProofStepProps) {
  const ownCall = useOwnCall();
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
        at={{ wrong_password: 'Password', invalid_code: 'Code' }}
        onSubmit={(shown) =>
          ownCall('POST', '/account/two-factor', shown, ({ TwoFactorSetup: setup }: TwoFactorSetupStarted) =>
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
          <Button kind="text" onClick={send}>
            {text('twoFactor.mail.again')}
          </Button>
        </div>
      )}
    </Step>
  );
}

interface SecretStepProps {
  setup: TwoFactorSetup;
  onStep: (step: TwoFactorStep) => void;
}

function SecretStep({ setup, onStep }: SecretStepProps) {
  const ownCall = useOwnCall();
  return (
    <Step title={text('twoFactor.secret.title')} lead={text('twoFactor.secret.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('twoFactor.secret.submit')}
        explanations={{ conflict: 'twoFactor.late' }}
        at={{ wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) =>
          ownCall(
            'POST',
            '/account/two-factor',
            shown,
            ({ RecoveryCodes: codes }: RenewRecoveryCodesResponse) => onStep({ kind: 'codes', codes }),
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
  const { method, path, kind } = PURPOSES[purpose];
  return (
    <Step title={text(`twoFactor.${purpose}.title`)} lead={text(`twoFactor.${purpose}.lead`)}>
      <Form
        submit={text(`twoFactor.${purpose}.submit`)}
        kind={kind}
        explanations={{ forbidden: 'twoFactor.required' }}
        at={{ wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) =>
          ownCall(method, path, shown, ({ RecoveryCodes: codes = [] }: Partial<RenewRecoveryCodesResponse>) =>
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
  renewal: { method: 'POST', path: '/account/recovery-codes', kind: 'primary' },
  removal: { method: 'DELETE', path: '/account/two-factor', kind: 'danger' },
} as const;
