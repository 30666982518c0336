import { LoginStatus } from '@gatehouse/client';
import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

/** The result of the next login with the right password (docs/errors.md); without a status, the login succeeds. */
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
