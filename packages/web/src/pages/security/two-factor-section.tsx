import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import type { Profile } from '../account/own-account.ts';
import { OtherSessions } from '../sessions/other-sessions.tsx';
import { OwnCodeStep } from './own-code-step.tsx';
import { ProofStep } from './proof-step.tsx';
import { SecretStep } from './secret-step.tsx';
import type { TwoFactorStep } from './two-factor-step.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import { Step } from '../../ui/layout/step.tsx';

/** Sets up or removes the authenticator app, and creates new recovery codes. */
export function TwoFactorSection({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const [step, setStep] = useState<TwoFactorStep>({ kind: 'still' });
  const [changes, setChanges] = useState(0);
  const still = (): void => setStep({ kind: 'still' });
  const done = (): void => {
    still();
    setChanges(changes + 1);
    void reload();
  };
  return (
    <Section title={text('twoFactor.title')} lead={text('twoFactor.lead')}>
      {changes > 0 && <OtherSessions key={changes} />}
      {step.kind === 'still' && <Standing profile={profile} onStep={setStep} />}
      {step.kind === 'proof' && <ProofStep profile={profile} onStep={setStep} onCancel={still} />}
      {step.kind === 'secret' && <SecretStep setup={step.setup} onStep={setStep} onCancel={still} />}
      {step.kind === 'codes' && <CodesStep codes={step.codes} onDone={done} />}
      {step.kind === 'renewal' && (
        <OwnCodeStep
          purpose="renewal"
          onDone={(codes) => setStep({ kind: 'codes', codes })}
          onCancel={still}
        />
      )}
      {step.kind === 'removal' && <OwnCodeStep purpose="removal" onDone={done} onCancel={still} />}
    </Section>
  );
}

/** Shows whether the second factor is enabled, and the available actions. */
function Standing({ profile, onStep }: { profile: Profile; onStep: (step: TwoFactorStep) => void }) {
  const text = useText();
  const { TwoFactorEnabled, TwoFactorRequired, RecoveryCodesLeft: count } = profile;
  if (!TwoFactorEnabled) {
    return (
      <>
        <p>{text('twoFactor.off')}</p>
        <div>
          <Button kind="primary" onClick={() => onStep({ kind: 'proof' })}>
            {text('twoFactor.setUp')}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <Notice meaning={count < FEW ? 'warning' : 'success'}>
        <p>{text('twoFactor.on')}</p>
        <p>{text(count < FEW ? 'twoFactor.few' : 'twoFactor.left', { count })}</p>
      </Notice>
      <div>
        <Button onClick={() => onStep({ kind: 'renewal' })}>{text('twoFactor.renew')}</Button>
      </div>
      {TwoFactorRequired ? (
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

/** If fewer codes than this are left, the page warns: without the phone, the owner may soon be locked out. */
const FEW = 3;

/** Shows the recovery codes, once only. */
function CodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = useText();
  return (
    <Step title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Step>
  );
}
