import { LoginStatus } from 'gatehouse-client';
import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

/** The result of the next login with the right password (docs/errors.md); without a status, the login succeeds. */
export function ConditionBadge({ status }: { status: LoginStatus | undefined }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={meaningOf(status)}>{wordsFor('condition', status ?? 'none')}</Badge>;
}

/** Whether the account waits for its owner to choose a password, so that it has none yet. */
export function isWaiting(status: LoginStatus | undefined): boolean {
  return (
    status === LoginStatus.IsPendingNewAccountSignup ||
    status === LoginStatus.IsPendingAccountMigrationSignup ||
    status === LoginStatus.IsPendingInvitation
  );
}

function meaningOf(status: LoginStatus | undefined): Meaning {
  if (status === undefined || status === LoginStatus.TwoFactorCodeRequired) return 'success';
  if (status === LoginStatus.IsDisabled || status === LoginStatus.IsExpired) return 'danger';
  const isAsked =
    status === LoginStatus.TwoFactorSetupRequired || status === LoginStatus.IsPendingNewPassword;
  return isAsked ? 'warning' : 'neutral';
}
