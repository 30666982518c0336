import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { deviceName } from '../../pages/device.ts';
import { Button } from '../../ui/form/button.tsx';
import type { Answer } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { RelatedSessions } from './related-sessions.tsx';
import { StatusBadge } from './status-badge.tsx';
import { ActorLink } from '../account/actor-link.tsx';
import styles from './session-history.module.css';

/** One session: its user, its device and its state. */
export function SessionScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/user-session/{id}', { path: { id } });
  const [isChanging, setChanging] = useState(false);
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Email ?? words('sessions.one')}
      badge={data && <StatusBadge status={data.Status} />}
      actions={data && <Button onClick={() => setChanging(true)}>{words('sessions.change.one')}</Button>}
    >
      <Loaded result={result}>
        {(session) => (
          <>
            <Card title={words('sessions.facts')}>
              <SessionFacts session={session} />
            </Card>
            <Card title={words('sessions.history')}>
              <SessionHistory history={session.History} />
            </Card>
            <RelatedSessions session={session} />
          </>
        )}
      </Loaded>
      {isChanging && <ChangeDialog target={{ SessionId: id }} onClose={() => setChanging(false)} />}
    </ScreenPage>
  );
}

function SessionFacts({ session }: { session: Answer<'GET /admin/user-session/{id}'> }) {
  const words = useWords();
  return (
    <Facts
      rows={[
        ['ID', <Copy key="id" value={session.Id} label={words('id.session')} />],
        [
          words('sessions.account'),
          <a key="account" href={`/console/accounts/${session.UserId}`}>
            {session.Email}
          </a>,
        ],
        [words('sessions.online'), words(session.IsOnline ? 'yes' : 'no')],
        [words('sessions.device'), deviceName(session) ?? words('sessions.device.unknown')],
        [words('sessions.tag'), session.Tag],
        [words('sessions.userAgent'), session.UserAgent],
        [words('sessions.address'), session.IpAddress],
        [words('sessions.provider'), session.SsoProvider ?? words('sessions.password')],
        [words('sessions.created'), <Time key="created" at={session.CreatedAt} exact />],
        [words('sessions.seen'), <Time key="seen" at={session.LastSeenAt} exact />],
        [words('sessions.expires'), <Time key="expires" at={session.ExpiresAt} exact />],
        [words('sessions.ended'), <Time key="ended" at={session.EndedAt} exact />],
        [
          words('sessions.content'),
          session.ContentDefinitionId && <ContentLink id={session.ContentDefinitionId} />,
        ],
      ]}
    />
  );
}

/** A link to the content that a session watches: by name, or by id if the content no longer exists. */
function ContentLink({ id }: { id: string }) {
  const { data } = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  return <a href={`/console/content/${id}`}>{data?.Name ?? id}</a>;
}

/** The history of a session: every status change, with its time, actor and reason. */
function SessionHistory({ history }: { history: Answer<'GET /admin/user-session/{id}'>['History'] }) {
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
