import { SessionStatus } from 'gatehouse-client';
import { type Answer, useQuery } from '../api/call-api.ts';
import { ActButton, Acts, actsOn } from '../kit/act.tsx';
import { List } from '../kit/list.tsx';
import { AccountLink, DEVICE, StatusBadge } from '../objects.tsx';
import { words, wordsFor } from '../text.ts';
import { DialogPlace } from '../ui/dialog.tsx';
import { ago } from '../ui/fact.tsx';
import { Loaded } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { Badge, type Meaning } from '../ui/values.tsx';
import styles from './content.module.css';

type Content = Answer<'GET /admin/content-definition/{id}'>;
type Member = Answer<'GET /admin/content-definition/{id}/member'>['Items'][number];

interface Membership {
  content: Content;
  member: Member;
}

const REMOVE = actsOn<Membership>()({
  label: (row) => (hasAccess(row) ? 'content.revoke' : 'content.uninvite'),
  kind: 'danger',
  if: ({ member }) => member.Relation !== 'Owner',
  effect: (row) => <RemoveEffect {...row} />,
  run: (callApi, { content, member: { UserId } }) =>
    callApi('POST /admin/content-definition/{id}/remove', { path: { id: content.Id }, body: { UserId } }),
});

function hasAccess({ member }: Membership): boolean {
  return member.Relation === 'Access';
}

function RemoveEffect({ content, member }: Membership) {
  const effect = hasAccess({ content, member }) ? 'content.revoke.effect' : 'content.uninvite.effect';
  return (
    <>
      <p>{words(effect, { email: member.Email, name: content.Name })}</p>
      {member.IsGuest && <p>{words('content.takeBack.guest')}</p>}
    </>
  );
}

const RELATIONS: Record<Member['Relation'], Meaning> = {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
};

export function RelationBadge({ relation }: { relation: Member['Relation'] }) {
  return <Badge meaning={RELATIONS[relation]}>{wordsFor('content.relation', relation)}</Badge>;
}

/** The accounts that own content, have access to it or are invited to it. */
export function Members({ content }: { content: Content }) {
  return (
    <div class={styles['part']}>
      <h2>{words('content.members')}</h2>
      <List
        operation="GET /admin/content-definition/{id}/member"
        path={{ id: content.Id }}
        caption="content.members"
        none="content.noMembers"
        keyOf={({ UserId, Relation }) => `${UserId} ${Relation}`}
        hrefOf={({ UserId }) => `/console/accounts/${UserId}`}
        accountOf={({ By }) => By}
        filters={[{ name: 'relation', label: 'content.relation', texts: 'content.relation' }]}
        columns={[
          ['content.email', ({ Email }) => Email],
          ['content.person', ({ DisplayName }) => DisplayName],
          ['content.relation', ({ Relation }) => <RelationBadge relation={Relation} />],
          ago('content.since', 'Since'),
          ['content.by', ({ By }) => <AccountLink id={By} />],
          ago('content.ends', 'ExpiresAt'),
          ago('content.linkExpires', 'LinkExpiresAt'),
          [
            'content.do',
            (member) => (
              <Acts
                acts={[REMOVE]}
                row={{ content, member }}
                menu={words('content.menu', { email: member.Email })}
              />
            ),
            'pinned',
          ],
        ]}
      />
    </div>
  );
}

type Watcher = Answer<'GET /admin/user-session'>['Items'][number];

function isChatOff({ Status }: Watcher): boolean {
  return Status === SessionStatus.ChatDisabled;
}

/** Switches the chat off or on for a user who is watching. */
const CHAT = actsOn<Watcher>()({
  label: (session) => (isChatOff(session) ? 'content.chat.on' : 'content.chat.off'),
  kind: 'danger',
  values: ({ Email }) => ({ email: Email }),
  run: (callApi, session) => {
    const withChat = session.IsGuest ? SessionStatus.SharedAccess : SessionStatus.Normal;
    const Status = isChatOff(session) ? withChat : SessionStatus.ChatDisabled;
    return callApi('POST /admin/user-session', { body: { SessionId: session.Id, Status } });
  },
});

export function Watching({ id }: { id: string }) {
  const result = useQuery(
    'GET /admin/user-session',
    { query: { contentDefinitionId: id, isOnline: true, limit: 200 } },
    { everyMs: 10_000 },
  );
  return (
    <div class={styles['part']}>
      <h2>{words('content.watching')}</h2>
      <DialogPlace>
        <Loaded result={result} lines={2}>
          {({ Items, NextCursor }) => (
            <>
              <p class="quiet" role="status">
                {Items.length === 0
                  ? words('content.watching.none')
                  : words(NextCursor === undefined ? 'content.watching.count' : 'content.watching.more', {
                      count: Items.length,
                    })}
              </p>
              {Items.length > 0 && (
                <DataTable
                  caption={words('content.watching')}
                  rows={Items}
                  hrefOf={({ Id }) => `/console/sessions/${Id}`}
                  isOld={result.isOld}
                  columns={[
                    ['content.email', ({ Email }) => Email],
                    ['sessions.status', ({ Status }) => <StatusBadge status={Status} />],
                    [DEVICE[0], DEVICE[1]],
                    ago('sessions.seen', 'LastSeenAt'),
                    ['content.chat', (session) => <ActButton act={CHAT} row={session} />, 'end'],
                  ]}
                />
              )}
            </>
          )}
        </Loaded>
      </DialogPlace>
    </div>
  );
}
