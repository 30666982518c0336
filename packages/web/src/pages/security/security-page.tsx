import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { EmailSection } from './email-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { PasskeySection } from './passkeys/passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

/** The ways to sign in to the account. */
export function SecurityPage() {
  const text = useText();
  return (
    <AccountPage title={text('security.title')} lead={text('security.lead')}>
      {({ profile, reload }) => (
        <div>
          <PasswordSection profile={profile} />
          <PasskeySection profile={profile} reload={reload} />
          <IdentitySection profile={profile} />
          <TwoFactorSection profile={profile} reload={reload} />
          <EmailSection profile={profile} />
        </div>
      )}
    </AccountPage>
  );
}
