import type { RenewRecoveryCodesResponse, TwoFactorSetup, TwoFactorSetupStarted } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, type Explanations, type Operation } from '../../ui/api.ts';
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

type TwoFactorStep =
  | { kind: 'still' | 'standing' | 'proof' | 'renewal' | 'removal' }
  | { kind: 'secret'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: readonly string[] };

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
  const showCodes = ({ RecoveryCodes: codes }: RenewRecoveryCodesResponse): void =>
    setStep({ kind: 'codes', codes });
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
      {step.kind === 'standing' && <Standing onStep={(kind) => setStep({ kind })} />}
      {step.kind === 'proof' && <ProofStep onDone={(setup) => setStep({ kind: 'secret', setup })} />}
      {step.kind === 'secret' && (
        <FormStep words="secret" explanations={{ conflict: 'twoFactor.late' }} onDone={showCodes}>
          <TwoFactorSecret secret={step.setup.Secret} uri={step.setup.OtpAuthUri} />
        </FormStep>
      )}
      {step.kind === 'codes' && (
        <Step title={text('recovery.title')} lead={text('recovery.lead')}>
          <RecoveryCodes codes={step.codes} onDone={done} />
        </Step>
      )}
      {step.kind === 'renewal' && (
        <FormStep
          words="renewal"
          operation="POST /account/recovery-codes"
          explanations={NEEDED}
          onDone={showCodes}
        />
      )}
      {step.kind === 'removal' && (
        <FormStep
          words="removal"
          operation="DELETE /account/two-factor"
          kind="danger"
          explanations={NEEDED}
          onDone={done}
        />
      )}
    </Row>
  );
}

const NEEDED = { forbidden: 'twoFactor.required' } as const;

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
function Standing({ onStep }: { onStep: (kind: 'renewal' | 'removal') => void }) {
  return (
    <>
      <div>
        <Button onClick={() => onStep('renewal')}>{text('twoFactor.renew')}</Button>
      </div>
      {useAccount().profile.TwoFactorRequired ? (
        <p>{text('twoFactor.required')}</p>
      ) : (
        <div>
          <Button kind="danger" onClick={() => onStep('removal')}>
            {text('twoFactor.remove')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Setting up a second factor requires the password or, for an account without one, a mailed code. */
function ProofStep({ onDone }: { onDone: (setup: TwoFactorSetup) => void }) {
  const { HasPassword } = useAccount().profile;
  const send = async (): Promise<void> => void (await call('POST /account/two-factor', {}));
  useEffect(() => {
    if (!HasPassword) void send();
  }, [HasPassword]);
  const taken = ({ TwoFactorSetup: setup }: TwoFactorSetupStarted): void => onDone(setup);
  if (HasPassword)
    return (
      <FormStep
        words="password"
        onDone={taken}
        field={<PasswordField label={text('field.currentPassword')} purpose="current" />}
      />
    );
  return (
    <FormStep
      words="mail"
      onDone={taken}
      field={<Field name="Code" label={text('field.mailCode')} code autocomplete="off" required />}
      ways={
        <div>
          <TextButton words={text('twoFactor.mail.again')} onPress={send} />
        </div>
      }
    />
  );
}

interface FormStepProps {
  /** Begins the keys of its texts. */
  words: 'password' | 'mail' | 'secret' | 'renewal' | 'removal';
  operation?: Operation;
  kind?: 'danger';
  explanations?: Explanations;
  onDone: (answer: never) => void;
  /** By default for a code of the app; where there are recovery codes already, also for one of these. */
  field?: ComponentChildren;
  children?: ComponentChildren;
  ways?: ComponentChildren;
}

function FormStep({ words, operation, onDone, field, children, ways, ...form }: FormStepProps) {
  const ownCall = useOwnCall();
  const isProof = words === 'password' || words === 'mail';
  return (
    <Step title={text(`twoFactor.${words}.title`)} lead={text(`twoFactor.${words}.lead`)}>
      {children}
      <Form
        submit={text(isProof ? 'twoFactor.continue' : `twoFactor.${words}.submit`)}
        {...form}
        at={{ wrong_password: 'Password', invalid_code: 'Code', wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) => ownCall(operation ?? 'POST /account/two-factor', shown, onDone)}
      >
        {field ?? <TwoFactorCodeField takesRecovery={words !== 'secret'} />}
      </Form>
      {ways}
    </Step>
  );
}
