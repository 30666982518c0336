import type { Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Badge } from '../ui/badge.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { ActionButton } from './action-button.tsx';
import { OwnFactors } from './own-factors.tsx';

/** If this many recovery codes or fewer are left, the owner should create new ones. */
const FEW = 2;

/** The authenticator app, and the recovery codes for the case that it is lost. */
export function SecondFactorCard({ account }: { account: Account }) {
  const words = useWords();
  const { Id, TwoFactorEnabled, TwoFactorRequired } = account;
  const isOwn = useConsole().me.Account.Id === Id;
  const result = useQuery('GET /admin/account/{id}/standing', { path: { id: Id } });
  return (
    <Card
      title={words('accounts.twoFactor')}
      action={
        TwoFactorEnabled && isOwn ? (
          <OwnFactors />
        ) : (
          <ActionButton
            account={account}
            name={TwoFactorEnabled ? 'remove2fa' : TwoFactorRequired ? 'release2fa' : 'require2fa'}
          />
        )
      }
    >
      <Loaded result={result} lines={2}>
        {({ RecoveryCodesLeft }) => (
          <Facts
            rows={[
              [
                words('methods.authenticator'),
                <Badge key="app" meaning={TwoFactorEnabled ? 'success' : 'neutral'}>
                  {words(TwoFactorEnabled ? 'methods.authenticator.yes' : 'methods.authenticator.no')}
                </Badge>,
              ],
              [
                words('methods.recoveryCodes'),
                TwoFactorEnabled ? (
                  <Badge key="codes" meaning={RecoveryCodesLeft > FEW ? 'success' : 'warning'}>
                    {RecoveryCodesLeft}
                  </Badge>
                ) : null,
              ],
              [words('account.twoFactorRequired'), words(TwoFactorRequired ? 'yes' : 'no')],
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
