import { Rows } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { EmailRow } from './email-row.tsx';
import { IdentityRow } from './identity-row.tsx';
import { PasskeyRow } from './passkeys/passkey-row.tsx';
import { PasswordRow } from './password-row.tsx';
import { TwoFactorRow } from './two-factor-row.tsx';

/** The ways to sign in to the account. */
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
