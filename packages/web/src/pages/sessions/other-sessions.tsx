import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { useOwn, useSignedOut } from '../account/own-account.ts';
import { endSessions, type Outcome } from './end-sessions.ts';
import { EndedNotice } from './ended-notice.tsx';
import type { OwnSession } from './session-item.tsx';

interface OtherSessionsProps {
  /** Says how many there are, and when to end them. */
  lead?: MessageKey;
  onEnded?: () => void;
}

/**
 * Offers to end all other sessions, after a change of a sign-in method: if a stranger was the reason, they may still be
 * signed in; or because of a sign-in that was not the owner's. Renders nothing if there are none.
 */
export function OtherSessions({ lead = 'sessions.others', onEnded }: OtherSessionsProps) {
  const text = useText();
  const leave = useSignedOut();
  const own = useOwn<{ Items: OwnSession[] }>('/account/session');
  const [outcome, setOutcome] = useState<Outcome>();
  const others = own.value?.Items.filter(({ IsCurrent }) => !IsCurrent) ?? [];
  const end = async (): Promise<void> => {
    const ended = await endSessions(others);
    if (ended.problem === undefined || !leave(ended.problem)) setOutcome(ended);
    if (ended.count > 0) onEnded?.();
  };
  if (outcome !== undefined) return <EndedNotice {...outcome} />;
  if (others.length === 0) return null;
  return (
    <Notice meaning="warning">
      <p>{text(lead, { count: others.length })}</p>
      <Button onClick={end}>{text('sessions.others.end')}</Button>
    </Notice>
  );
}
