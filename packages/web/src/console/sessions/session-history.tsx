import { ActorLink } from '../account/actor-link.tsx';
import type { Answer } from '../api/call-api.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Time } from '../ui/time.tsx';
import styles from './session-history.module.css';
import { StatusBadge } from './status-badge.tsx';

/** The history of a session: every status change, with its time, actor and reason. */
export function SessionHistory({ history }: { history: Answer<'GET /admin/user-session/{id}'>['History'] }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <ol class={styles['timeline']}>
      {history.map(({ Status, ChangedAt, ChangedBy, Reason }) => (
        <li key={ChangedAt}>
          <StatusBadge status={Status} />
          <Time at={ChangedAt} exact />
          <span>{wordsFor('sessionReason', Reason)}</span>
          {ChangedBy && (
            <span class="quiet">
              {words('sessions.by')} <ActorLink id={ChangedBy} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
