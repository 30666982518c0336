import type { ListOwnSessionsResponse, OwnSession } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { useOwn, useSignedOut } from '../account/own-account.tsx';

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
  const leave = useSignedOut();
  const own = useOwn<ListOwnSessionsResponse>('/account/session');
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

export function EndedNotice({ count, problem }: Outcome) {
  if (problem !== undefined) return <Fault problem={problem} />;
  return <Notice meaning="success">{text('sessions.ended.count', { count })}</Notice>;
}

/** How many sessions were ended, and the error if some could not be ended. */
export interface Outcome {
  count: number;
  problem?: Problem;
}

/** Ends sessions one by one, up to the first error. */
export async function endSessions(sessions: readonly Pick<OwnSession, 'Id'>[]): Promise<Outcome> {
  let count = 0;
  for (const { Id } of sessions) {
    const result = await call('DELETE', `/account/session/${Id}`);
    // A session that has ended in the meantime counts as ended.
    if (!result.ok && result.problem.status !== 404) return { count, problem: result.problem };
    count += 1;
  }
  return { count };
}
