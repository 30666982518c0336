import { SessionStatus } from 'gatehouse-client';
import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

const MEANINGS: Readonly<Record<SessionStatus, Meaning>> = {
  [SessionStatus.Normal]: 'success',
  [SessionStatus.ChatDisabled]: 'warning',
  [SessionStatus.SessionReplaced]: 'neutral',
  [SessionStatus.Deactivated]: 'danger',
  [SessionStatus.SharedAccess]: 'success',
  [SessionStatus.PendingInvite]: 'neutral',
  [SessionStatus.Expired]: 'neutral',
  [SessionStatus.DeletedInvite]: 'danger',
};

/** The status of a session (docs/sessions.md). */
export function StatusBadge({ status }: { status: SessionStatus }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={MEANINGS[status]}>{wordsFor('sessionStatus', status)}</Badge>;
}
