import type { RenewRecoveryCodesResponse, TwoFactorSetup, TwoFactorSetupStarted } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, type Operation, type Problem } from '../../ui/api.ts';
import { Button, ButtonLink, TextButton } from '../../ui/button.tsx';
import { CodeField, PasswordField } from '../../ui/fields.tsx';
import { type FieldValues, Form, type FormProps } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Step } from '../../ui/page.tsx';
import { Row, Rows } from '../../ui/row.tsx';
import { RecoveryCodes, TwoFactorSecret } from '../../ui/two-factor.tsx';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { AccountPage, useAccount, useOwnCall } from '../account/own-account.tsx';
import { ProvenRow, useProven } from '../account/proof.tsx';
import { PATHS, usePage } from '../page.ts';
import { EmailField, MailedCodeField } from '../parts.tsx';
import { OtherSessions } from '../sessions/sessions.tsx';
import { IdentityRow, PasskeyRow } from './ways-in.tsx';

export function SecurityPage() {
  return (
    <AccountPage title={text('security.title')} lead={text('security.lead')}>
      <Rows>
        <EmailRow />
        <PasswordRow />
        <PasskeyRow />
        <TwoFactorRow />
        <IdentityRow />
      </Rows>
    </AccountPage>
  );
}

/** The new address must be confirmed by a mail that is sent to it. */
function EmailRow() {
  const { profile } = useAccount();
  const [sentTo, setSentTo] = useState<string>();
  const proven = useProven();
  const { bring } = usePage();
  const change = (values: FieldValues) =>
    proven.send('POST /account/change-email', values, () => {
      setSentTo(values['Email']);
      bring(PATHS.confirmEmail, { Address: values['Email'] ?? '' });
      proven.close();
    });
  return (
    <ProvenRow
      proven={proven}
      icon="mail"
      title={text('security.email.title')}
      state={profile.Email}
      notice={
        sentTo && (
          <Notice meaning="success">
            <p>{text('security.email.sent', { email: sentTo })}</p>
            <ButtonLink href={PATHS.confirmEmail}>{text('security.email.code')}</ButtonLink>
          </Notice>
        )
      }
      lead={text('security.email.lead')}
    >
      <EmailForm onChange={change} />
    </ProvenRow>
  );
}

/** Asks for a new email address and the password; without one, only where mailed codes open the account. */
function EmailForm({ onChange }: { onChange: (values: FieldValues) => Promise<Problem | undefined> }) {
  const { profile } = useAccount();
  const options = useAccountOptions();
  if (!profile.HasPassword && !hasEmailLogin(options, profile.Role))
    return <p>{text('security.email.noPassword')}</p>;
  return (
    <Form submit={text('security.email.submit')} at={{ wrong_password: 'Password' }} onSubmit={onChange}>
      <EmailField label={text('field.newEmail')} autocomplete="email" defaultValue="" />
      {profile.HasPassword && <PasswordField label={text('field.currentPassword')} purpose="current" />}
    </Form>
  );
}

/** The current password is required, and the second factor if there is one. */
function PasswordRow() {
  const { HasPassword, Email } = useAccount().profile;
  const [isChanged, setChanged] = useState(false);
  const proven = useProven();
  const change = (values: object) =>
    proven.send('POST /account/change-password', values, () => {
      setChanged(true);
      proven.close();
    });
  const open = (): void => {
    setChanged(false);
    proven.open();
  };
  return (
    <ProvenRow
      proven={proven}
      icon="lock"
      title={text('security.password.title')}
      state={text(HasPassword ? 'security.password.set' : 'security.password.none')}
      action={
        HasPassword
          ? { words: text('row.change'), onPress: open }
          : { words: text('security.password.choose'), href: PATHS.forgotPassword }
      }
      notice={isChanged && <Notice meaning="success">{text('security.password.changed')}</Notice>}
      lead={text('security.password.lead')}
    >
      <Form
        submit={text('security.password.submit')}
        at={{ wrong_password: 'CurrentPassword' }}
        onSubmit={({ CurrentPassword = '', Password = '' }) => change({ CurrentPassword, Password })}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="Username" autocomplete="username" value={Email} readOnly hidden />
        <PasswordField name="CurrentPassword" label={text('field.currentPassword')} purpose="current" />
        <PasswordField label={text('field.newPassword')} purpose="new" />
      </Form>
    </ProvenRow>
  );
}

type TwoFactorStep =
  | { kind: 'still' | 'standing' | 'proof' | 'renewal' | 'removal' }
  | { kind: 'secret'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: readonly string[] };

function TwoFactorRow() {
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
      icon="phone"
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
        <FormStep words="secret" onDone={showCodes}>
          <TwoFactorSecret secret={step.setup.Secret} uri={step.setup.OtpAuthUri} />
        </FormStep>
      )}
      {step.kind === 'codes' && (
        <Step title={text('recovery.title')} lead={text('recovery.lead')}>
          <RecoveryCodes codes={step.codes} onDone={done} />
        </Step>
      )}
      {step.kind === 'renewal' && <FormStep words="renewal" onDone={showCodes} />}
      {step.kind === 'removal' && <FormStep words="removal" onDone={done} />}
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
      field={<MailedCodeField autocomplete="off" />}
      ways={
        <div>
          <TextButton words={text('twoFactor.mail.again')} onPress={send} />
        </div>
      }
    />
  );
}

const NEEDED = { forbidden: 'twoFactor.required' } as const;
type FormOf = Pick<FormProps, 'explanations' | 'kind'> & { operation?: Operation };
/** The forms, by what the keys of their texts begin with. */
const FORMS = {
  password: {},
  mail: {},
  secret: { explanations: { conflict: 'twoFactor.late' } },
  renewal: { operation: 'POST /account/recovery-codes', explanations: NEEDED },
  removal: { operation: 'DELETE /account/two-factor', explanations: NEEDED, kind: 'danger' },
} satisfies Record<string, FormOf>;

interface FormStepProps {
  words: keyof typeof FORMS;
  onDone: (answer: never) => void;
  /** By default for a code of the authenticator app; where there are recovery codes already, also for one of these. */
  field?: ComponentChildren;
  children?: ComponentChildren;
  ways?: ComponentChildren;
}

function FormStep({ words, onDone, field, children, ways }: FormStepProps) {
  const ownCall = useOwnCall();
  const { operation = 'POST /account/two-factor', ...form }: FormOf = FORMS[words];
  const isProof = words === 'password' || words === 'mail';
  return (
    <Step title={text(`twoFactor.${words}.title`)} lead={text(`twoFactor.${words}.lead`)}>
      {children}
      <Form
        submit={text(isProof ? 'twoFactor.continue' : `twoFactor.${words}.submit`)}
        {...form}
        at={{ wrong_password: 'Password', invalid_code: 'Code', wrong_code: 'TwoFactorCode' }}
        onSubmit={(shown) => ownCall(operation, shown, onDone)}
      >
        {field ?? (
          <CodeField
            label={text(words === 'secret' ? 'field.code' : 'field.anyCode')}
            inputMode={words === 'secret' ? 'numeric' : 'text'}
          />
        )}
      </Form>
      {ways}
    </Step>
  );
}
