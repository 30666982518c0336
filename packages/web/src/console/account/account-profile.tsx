import { nameOfLanguage } from '../../ui/language-menu.tsx';
import type { Answer } from '../api/ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import { ConditionBadge } from '../accounts/condition-badge.tsx';

export type Account = Answer<'GET /admin/account/{id}'>;

/** What an account is. */
export function AccountProfile({ account }: { account: Account }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const yesNo = (isSo: boolean): string => words(isSo ? 'yes' : 'no');
  return (
    <>
      <Card title={words('account.canLogIn')}>
        <p>
          <ConditionBadge status={account.LoginStatus} />{' '}
          {wordsFor('conditionAdvice', account.LoginStatus ?? 'none')}
        </p>
      </Card>
      <Card title={words('account.profile')}>
        <Facts
          rows={[
            ['ID', <Copy key="id" value={account.Id} label={words('id.account')} whole />],
            [
              words('accounts.email'),
              <Copy key="email" value={account.Email} label={words('accounts.email')} whole />,
            ],
            [words('accounts.name'), account.DisplayName],
            [words('accounts.role'), wordsFor('role', account.Role)],
            [words('account.language'), nameOfLanguage(account.Locale)],
            [words('accounts.twoFactor'), yesNo(account.TwoFactorEnabled)],
            [words('account.twoFactorRequired'), yesNo(account.TwoFactorRequired)],
            [words('account.newPasswordRequired'), yesNo(account.NewPasswordRequired)],
            [words('accounts.created'), <Time key="created" at={account.CreatedAt} exact />],
            [words('accounts.lastLogin'), <Time key="login" at={account.LastLoginAt} exact />],
            [words('account.expires'), <Time key="expires" at={account.ExpiresAt} exact />],
          ]}
        />
      </Card>
    </>
  );
}
