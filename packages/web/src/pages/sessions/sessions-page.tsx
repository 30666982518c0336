import { useState } from 'preact/hooks';
import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { ActiveSection } from './active-section.tsx';
import { EndedSection } from './ended-section.tsx';
import { SignInsSection } from './sign-ins-section.tsx';

/** The active and the most recently ended sessions of the account, and its last sign-ins. */
export function SessionsPage() {
  const text = useText();
  const [endings, setEndings] = useState(0);
  return (
    <AccountPage title={text('sessions.title')} lead={text('sessions.lead')}>
      {() => (
        <div>
          <ActiveSection key={`active ${endings}`} />
          <SignInsSection onEnded={() => setEndings(endings + 1)} />
          <EndedSection key={`ended ${endings}`} />
        </div>
      )}
    </AccountPage>
  );
}
