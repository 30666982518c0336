import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import type { Profile } from '../account/own-account.ts';
import { OtherSessions } from '../sessions/other-sessions.tsx';
import { OwnCodeStep } from './own-code-step.tsx';
import { ProofStep } from './proof-step.tsx';
import { SecretStep } from './secret-step.tsx';
import type { TwoFactorStep } from './two-factor-step.ts';

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
