import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { LockIcon, MailIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Rows } from '../../ui/row.tsx';
import { AccountPage } from '../account/account-page.tsx';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { ProvenRow, useAccount, useOwnCall, useProven } from '../account/own-account.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { TwoFactorRow } from './two-factor.tsx';
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
  const ownCall = useOwnCall();
  const { bring } = usePageState();
  const change = (values: FieldValues) =>
    proven.run((proof) =>
      ownCall('POST /account/change-email', { ...proof, ...values }, () => {
        setSentTo(values['Email']);
        bring(PATHS.confirmEmail, { Address: values['Email'] ?? '' });
        proven.close();
      }),
    );
  return (
    <ProvenRow
      proven={proven}
      icon={<MailIcon />}
      title={text('security.email.title')}
      state={profile.Email}
      action={{ words: text('row.change'), onPress: proven.open }}
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
      {proven.isOpen && <EmailForm onChange={change} />}
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
      <Field
        name="Email"
        label={text('field.newEmail')}
        type="email"
        inputMode="email"
        autocomplete="email"
        required
      />
      {profile.HasPassword && <PasswordField label={text('field.currentPassword')} purpose="current" />}
    </Form>
  );
}

/** The current password is required, and the second factor if there is one. */
function PasswordRow() {
  const { HasPassword, Email } = useAccount().profile;
  const [isChanged, setChanged] = useState(false);
  const proven = useProven();
  const ownCall = useOwnCall();
  const change = (values: object) =>
    proven.run((proof) =>
      ownCall('POST /account/change-password', { ...proof, ...values }, () => {
        setChanged(true);
        proven.close();
      }),
    );
  const open = (): void => {
    setChanged(false);
    proven.open();
  };
  return (
    <ProvenRow
      proven={proven}
      icon={<LockIcon />}
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
      {proven.isOpen && (
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
      )}
    </ProvenRow>
  );
}
