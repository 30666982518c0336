import type { Profile } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { LockIcon, MailIcon } from '../../ui/icon.tsx';
import { useText } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Row, Rows } from '../../ui/row.tsx';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { AccountPage } from '../account/account-page.tsx';
import { useOwnCall } from '../account/own-account.tsx';
import { MailCodeStep, ProofStep, useProven } from '../account/proof.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { IdentityRow } from './identities.tsx';
import { PasskeyRow } from './passkeys.tsx';
import { TwoFactorRow } from './two-factor.tsx';

export function SecurityPage() {
  const text = useText();
  return (
    <AccountPage title={text('security.title')} lead={text('security.lead')}>
      {({ profile, reload }) => (
        <Rows>
          <EmailRow profile={profile} />
          <PasswordRow profile={profile} />
          <PasskeyRow profile={profile} reload={reload} />
          <TwoFactorRow profile={profile} reload={reload} />
          <IdentityRow profile={profile} />
        </Rows>
      )}
    </AccountPage>
  );
}

/** The new address must be confirmed by a mail that is sent to it. */
function EmailRow({ profile }: { profile: Profile }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const proven = useProven();
  const ownCall = useOwnCall();
  const { bring } = usePageState();
  const change = (values: FieldValues) =>
    proven.run((proof) =>
      ownCall('POST', '/account/change-email', { ...proof, ...values }, () => {
        setSentTo(values['Email']);
        bring(PATHS.confirmEmail, { Address: values['Email'] ?? '' });
        setOpen(false);
      }),
    );
  const { asked, mailed } = proven;
  return (
    <Row
      icon={<MailIcon />}
      title={text('security.email.title')}
      state={profile.Email}
      action={{ words: text('row.change'), onPress: () => setOpen(true) }}
      onCancel={() => {
        proven.cancel();
        setOpen(false);
      }}
      notice={proven.problem ? <Fault problem={proven.problem} /> : sentTo && <Sent email={sentTo} />}
      lead={asked === undefined && mailed === undefined && text('security.email.lead')}
    >
      {isOpen &&
        (mailed !== undefined ? (
          <MailCodeStep email={profile.Email} onCode={mailed} />
        ) : asked !== undefined ? (
          <ProofStep profile={profile} lead={text('security.proof')} onProof={asked} />
        ) : (
          <EmailForm profile={profile} onChange={change} />
        ))}
    </Row>
  );
}

function Sent({ email }: { email: string }) {
  const text = useText();
  return (
    <Notice meaning="success">
      <p>{text('security.email.sent', { email })}</p>
      <ButtonLink href={PATHS.confirmEmail}>{text('security.email.code')}</ButtonLink>
    </Notice>
  );
}

interface EmailFormProps {
  profile: Profile;
  onChange: (values: FieldValues) => Promise<Problem | undefined>;
}

/** Asks for a new email address and the password; without one, only where mailed codes open the account. */
function EmailForm({ profile, onChange }: EmailFormProps) {
  const text = useText();
  const options = useAccountOptions(undefined);
  if (!profile.HasPassword && !hasEmailLogin(options, profile.Role))
    return <p>{text('security.email.noPassword')}</p>;
  return (
    <Form submit={text('security.email.submit')} at={{ wrong_password: 'Password' }} onSubmit={onChange}>
      <Field
        name="Email"
        label={text('field.newEmail')}
        type="email"
        inputMode="email"
        autocomplete="email"
        required
      />
      {profile.HasPassword && (
        <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
      )}
    </Form>
  );
}

/** The current password is required, and the second factor if there is one. */
function PasswordRow({ profile }: { profile: Profile }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const { problem, asked, run, cancel } = useProven();
  const ownCall = useOwnCall();
  const change = (body: object) =>
    ownCall('POST', '/account/change-password', body, () => {
      setChanged(true);
      setOpen(false);
    });
  const open = (): void => {
    setChanged(false);
    setOpen(true);
  };
  const { HasPassword, Email } = profile;
  return (
    <Row
      icon={<LockIcon />}
      title={text('security.password.title')}
      state={text(HasPassword ? 'security.password.set' : 'security.password.none')}
      action={
        HasPassword
          ? { words: text('row.change'), onPress: open }
          : { words: text('security.password.choose'), href: PATHS.forgotPassword }
      }
      onCancel={() => {
        cancel();
        setOpen(false);
      }}
      notice={
        problem ? (
          <Fault problem={problem} />
        ) : (
          isChanged && (
            <Notice meaning="success">
              <p>{text('security.password.changed')}</p>
            </Notice>
          )
        )
      }
      lead={asked === undefined && text('security.password.lead')}
    >
      {isOpen &&
        (asked !== undefined ? (
          <ProofStep profile={profile} lead={text('security.proof')} onProof={asked} />
        ) : (
          <PasswordForm
            email={Email}
            onChange={(values) => run((proof) => change({ ...proof, ...values }))}
          />
        ))}
    </Row>
  );
}

interface PasswordFormProps {
  email: string;
  onChange: (values: FieldValues) => Promise<Problem | undefined>;
}

function PasswordForm({ email, onChange }: PasswordFormProps) {
  const text = useText();
  return (
    <Form
      submit={text('security.password.submit')}
      at={{ wrong_password: 'CurrentPassword' }}
      onSubmit={({ CurrentPassword = '', Password = '' }) => onChange({ CurrentPassword, Password })}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="Username" autocomplete="username" value={email} readOnly hidden />
      <PasswordField name="CurrentPassword" label={text('field.currentPassword')} purpose="current" />
      <PasswordField name="Password" label={text('field.newPassword')} purpose="new" />
    </Form>
  );
}
