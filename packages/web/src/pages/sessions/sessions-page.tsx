import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { ActiveSection } from './active-section.tsx';
import { EndedSection } from './ended-section.tsx';

/** The active and the most recently ended sessions of the account. */
export function SessionsPage() {
  const text = useText();
  return (
    <AccountPage title={text('sessions.title')} lead={text('sessions.lead')}>
      {() => (
        <div>
          <ActiveSection />
          <EndedSection />
        </div>
      )}
    </AccountPage>
  );
}
