import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { PersonSection } from './person-section.tsx';

/** What others see of one's account, and its language. */
export function ProfilePage() {
  const text = useText();
  return (
    <AccountPage title={text('profile.title')} lead={text('profile.lead')}>
      {({ profile, reload }) => <PersonSection profile={profile} reload={reload} />}
    </AccountPage>
  );
}
