import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { ActiveSection } from './active-section.tsx';
import { EndedSection } from './ended-section.tsx';

/** Where one is signed in. */
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
