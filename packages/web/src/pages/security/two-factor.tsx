import { useEffect, useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import { TwoFactorSecret } from '../../ui/two-factor/two-factor-secret.tsx';
import { atField, type Profile, useSignedOut } from '../account/own-account.tsx';
import { OtherSessions } from '../sessions/end-sessions.tsx';

/** Sets up or removes the authenticator app, and creates new recovery codes. */
export function TwoFactorRow({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
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
  const text = useText();
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
  const text = useText();
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

/** The current step of setting up or changing the second factor. */
type TwoFactorStep =
  | { kind: 'still' }
  | { kind: 'standing' }
  | { kind: 'proof' }
  | { kind: 'secret'; setup: { Secret: string; OtpAuthUri: string } }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'renewal' }
  | { kind: 'removal' };

interface ProofStepProps {
  profile: Profile;
  onStep: (step: TwoFactorStep) => void;
}

/** Setting up a second factor requires the password or, for an account without one, a mailed code. */
function ProofStep({ profile: { HasPassword }, onStep }: ProofStepProps) {
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

interface SecretStepProps {
  setup: { Secret: string; OtpAuthUri: string };
  onStep: (step: TwoFactorStep) => void;
}

/** Shows the secret for the authenticator app, and asks for a first code. */
function SecretStep({ setup, onStep }: SecretStepProps) {
  const text = useText();
  const leave = useSignedOut();
  return (
    <Step title={text('twoFactor.secret.title')} lead={text('twoFactor.secret.lead')}>
      <TwoFactorSecret secret={setup.Secret} uri={setup.OtpAuthUri} />
      <Form
        submit={text('twoFactor.secret.submit')}
        explanations={{ conflict: 'twoFactor.late' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const result = await call<{ RecoveryCodes: string[] }>('POST', '/account/two-factor', {
            TwoFactorCode,
          });
          if (result.ok) onStep({ kind: 'codes', codes: result.value.RecoveryCodes });
          else if (!leave(result.problem)) return atField(result.problem, { wrong_code: 'TwoFactorCode' });
          return undefined;
        }}
      >
        <OwnCodeField takesRecovery={false} />
      </Form>
    </Step>
  );
}

interface OwnCodeStepProps {
  /** Why the code is required: to get new recovery codes, or to remove the second factor. */
  purpose: 'renewal' | 'removal';
  onDone: (codes: string[]) => void;
}

/** Asks for a code before the second factor is changed. */
function OwnCodeStep({ purpose, onDone }: OwnCodeStepProps) {
  const text = useText();
  const leave = useSignedOut();
  const isRemoval = purpose === 'removal';
  return (
    <Step
      title={text(isRemoval ? 'twoFactor.removal.title' : 'twoFactor.renewal.title')}
      lead={text(isRemoval ? 'twoFactor.removal.lead' : 'twoFactor.renewal.lead')}
    >
      <Form
        submit={text(isRemoval ? 'twoFactor.removal.submit' : 'twoFactor.renewal.submit')}
        kind={isRemoval ? 'danger' : 'primary'}
        explanations={{ forbidden: 'twoFactor.required' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const [method, path] = isRemoval
            ? (['DELETE', '/account/two-factor'] as const)
            : (['POST', '/account/recovery-codes'] as const);
          const result = await call<{ RecoveryCodes?: string[] }>(method, path, { TwoFactorCode });
          if (result.ok) onDone(result.value.RecoveryCodes ?? []);
          else if (!leave(result.problem)) return atField(result.problem, { wrong_code: 'TwoFactorCode' });
          return undefined;
        }}
      >
        <OwnCodeField takesRecovery />
      </Form>
    </Step>
  );
}

/** A field for a code of the authenticator app. If `takesRecovery`, it also accepts a recovery code. */
function OwnCodeField({ takesRecovery }: { takesRecovery: boolean }) {
  const text = useText();
  return (
    <Field
      name="TwoFactorCode"
      label={text(takesRecovery ? 'field.anyCode' : 'field.code')}
      code
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autocomplete="one-time-code"
      required
    />
  );
}
