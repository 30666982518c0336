import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { PersonSection } from './person-section.tsx';
import { SharedSection } from './shared-section.tsx';

/** What others share with the account, the name that others see, and the language. */
export function ProfilePage() {
  const text = useText();
  return (
    <AccountPage title={text('profile.title')} lead={text('profile.lead')}>
      {({ profile, reload }) => (
        <>
          <SharedSection />
          <PersonSection profile={profile} reload={reload} />
        </>
      )}
    </AccountPage>
  );
}
