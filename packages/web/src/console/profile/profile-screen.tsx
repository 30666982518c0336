import { ButtonLink } from '../../ui/form/button.tsx';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { Appearance } from './appearance.tsx';

/** The signed-in administrator, the look of the console, and a link to their account pages. */
export function ProfileScreen() {
  const words = useWords();
  return (
    <ScreenPage title={words('c.profile.title')}>
      <You />
      <Appearance />
      <AccountPages />
    </ScreenPage>
  );
}

function You() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Account, SessionId, ExpiresAt } = useConsole().me;
  const hasTwo = Account.IsTwoFactorEnabled;
  return (
    <Card title={words('profile.you')}>
      <Facts
        rows={[
          [
            words('profile.email'),
            <a key="account" href={`/console/accounts/${Account.Id}`}>
              {Account.Email}
            </a>,
          ],
          [words('profile.name'), Account.DisplayName],
          [words('profile.role'), wordsFor('role', Account.Role)],
          [
            words('profile.twoFactor'),
            <Badge key="two" meaning={hasTwo ? 'success' : 'warning'}>
              {words(hasTwo ? 'profile.twoFactor.on' : 'profile.twoFactor.off')}
            </Badge>,
          ],
          [
            words('profile.session'),
            <a key="session" href={`/console/sessions/${SessionId}`}>
              {words('profile.session.show')}
            </a>,
          ],
          [words('profile.ends'), <Time key="ends" at={ExpiresAt} exact />],
          [words('profile.id'), <Copy key="id" value={Account.Id} label={words('profile.id')} />],
        ]}
      />
    </Card>
  );
}

/** Administrators change their sign-in methods on the account pages, as all users do. */
function AccountPages() {
  const words = useWords();
  const result = useQuery('GET /console/options');
  return (
    <Card title={words('profile.pages')}>
      <Loaded result={result} lines={1}>
        {({ PublicUrl, SingleSession }) => (
          <>
            <p>{words('profile.pages.lead')}</p>
            {SingleSession && <p class="quiet">{words('profile.pages.single')}</p>}
            <div>
              <ButtonLink href={`${PublicUrl.replace(/\/$/, '')}/profile`} newTab>
                {words('profile.pages.open')}
              </ButtonLink>
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}
