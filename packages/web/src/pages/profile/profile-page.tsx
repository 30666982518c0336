import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { PersonSection } from './person-section.tsx';

/** The name that others see, and the language. */
export function ProfilePage() {
  const text = useText();
  return (
    <AccountPage title={text('profile.title')} lead={text('profile.lead')}>
      {({ profile, reload }) => <PersonSection profile={profile} reload={reload} />}
    </AccountPage>
  );
}
