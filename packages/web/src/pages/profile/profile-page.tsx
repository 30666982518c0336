import { Rows } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { LanguageRow } from './language-row.tsx';
import { NameRow } from './name-row.tsx';
import { SharedSection } from './shared-section.tsx';

/** The name that others see, the language, and what others share with the account. */
export function ProfilePage() {
  const text = useText();
  return (
    <AccountPage title={text('profile.title')} lead={text('profile.lead')}>
      {({ profile, reload }) => (
        <>
          <Rows>
            <NameRow profile={profile} reload={reload} />
            <LanguageRow profile={profile} reload={reload} />
          </Rows>
          <SharedSection />
        </>
      )}
    </AccountPage>
  );
}
