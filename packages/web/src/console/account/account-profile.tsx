import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import type { Account } from './account.ts';
import { EditDialog } from './actions/edit-dialog.tsx';
import { StandingCard } from './standing/standing-card.tsx';

/** The properties of an account. */
export function AccountProfile({ account }: { account: Account }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [isEditing, setEditing] = useState(false);
  const yesNo = (isSo: boolean): string => words(isSo ? 'yes' : 'no');
  return (
    <>
      <StandingCard account={account} />
      <Card
        title={words('account.profile')}
        action={<Button onClick={() => setEditing(true)}>{words('account.edit')}</Button>}
      >
        <Facts
          rows={[
            ['ID', <Copy key="id" value={account.Id} label={words('id.account')} />],
            [
              words('accounts.email'),
              <Copy key="email" value={account.Email} label={words('accounts.email')} whole />,
            ],
            [words('accounts.name'), account.DisplayName],
            [words('accounts.role'), wordsFor('role', account.Role)],
            [words('accounts.groups'), groupsOf(account)],
            [words('account.service'), yesNo(account.IsService)],
            [words('account.language'), nameOfLanguage(account.Locale)],
            [words('accounts.password'), yesNo(account.HasPassword)],
            [words('accounts.twoFactor'), yesNo(account.TwoFactorEnabled)],
            [words('account.twoFactorRequired'), yesNo(account.TwoFactorRequired)],
            [words('account.newPasswordRequired'), yesNo(account.NewPasswordRequired)],
            [words('account.sessionLimit'), account.SessionLimit ?? words('account.sessionLimit.none')],
            [words('accounts.created'), <Time key="created" at={account.CreatedAt} exact />],
            [words('accounts.lastLogin'), <Time key="login" at={account.LastLoginAt} exact />],
            [
              words('account.expires'),
              account.ExpiresAt === null ? (
                words('account.never')
              ) : (
                <Time key="expires" at={account.ExpiresAt} exact />
              ),
            ],
          ]}
        />
      </Card>
      {isEditing && <EditDialog account={account} onClose={() => setEditing(false)} />}
    </>
  );
}

/** The groups, with the identity providers that give them. */
function groupsOf({ Groups, GroupSources }: Account): string | null {
  const shown = Groups.map((group) => {
    const sources = GroupSources.flatMap(({ Label, Source }) => (Label === group ? [Source] : []));
    return sources.includes('Administrator') ? group : `${group} (${sources.join(', ')})`;
  });
  return shown.join(', ') || null;
}
