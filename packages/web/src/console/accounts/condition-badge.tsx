import { LoginStatus } from '@gatehouse/client';
import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

/** What the next login with the right password leads to (docs/errors.md); nothing stands in its way without a status. */
export function ConditionBadge({ status }: { status: LoginStatus | undefined }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={meaningOf(status)}>{wordsFor('condition', status ?? 'none')}</Badge>;
}

function meaningOf(status: LoginStatus | undefined): Meaning {
  if (status === undefined || status === LoginStatus.TwoFactorCodeRequired) return 'success';
  if (status === LoginStatus.IsDisabled || status === LoginStatus.IsExpired) return 'danger';
  const isAsked =
    status === LoginStatus.TwoFactorSetupRequired || status === LoginStatus.IsPendingNewPassword;
  return isAsked ? 'warning' : 'neutral';
}
