import type { Account } from '../account/account.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { ActionButton } from './action-button.tsx';

/** Whether the account has a password, and how it is hashed. */
export function PasswordCard({ account }: { account: Account }) {
  const words = useWords();
  const result = useQuery('GET /admin/account/{id}/standing', { path: { id: account.Id } });
  return (
    <Card title={words('methods.password')} action={<ActionButton account={account} name="reset" />}>
      <Loaded result={result} lines={2}>
        {({ HasPassword, PasswordScheme }) => (
          <Facts
            rows={[
              [
                words('methods.password.set'),
                <Badge key="set" meaning={HasPassword ? 'success' : 'neutral'}>
                  {words(HasPassword ? 'yes' : 'no')}
                </Badge>,
              ],
              [
                words('methods.password.scheme'),
                PasswordScheme && words(`methods.password.scheme.${PasswordScheme}`),
              ],
              [words('account.newPasswordRequired'), words(account.NewPasswordRequired ? 'yes' : 'no')],
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
