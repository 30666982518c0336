import { isOnline, readPresence } from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import type { Reading } from '@gatehouse/redis';
import { Email, Integers, SessionStatus, type Static, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { contentAccess, contentDefinitions, notEnded, query } from '@gatehouse/db';
import type { ContentDefinition, Executor } from '@gatehouse/db';
import { route, type Deps } from '../deps.ts';

const Item = Type.Object(
  {
    UserId: Uuid(),
    SessionId: Type.Optional(Uuid()),
    DisplayName: Type.String({ description: 'The name, or the email address if there is none' }),
    Email: Email(),
    IsGuest: Type.Boolean(),
    SessionStatus: Integers(SessionStatus, 'SessionStatus'),
    LastSeenAt: Type.Optional(Timestamp()),
    InvitedAt: Type.Optional(Timestamp()),
  },
  { title: 'ChannelUser' },
);
type Item = Static<typeof Item>;

export const listChannelUsers = route('GET /user-session/:id', {
  operationId: 'listChannelUsers',
  tag: 'Guests',
  summary: 'List the users of a live channel',
  description:
    '`Items` contains the users with access who are online, once each, by name. `RelatedItems` contains guests ' +
    'with access who are offline, and pending invitations.',
  access: 'bearer',
  response: Type.Object({ Items: Type.Array(Item), RelatedItems: Type.Array(Item) }),
  errors: ['unsupported_content_kind', 'forbidden', 'not_found'],
  handler: async ({ params, caller, deps, refuse }) => {
    const content = await contentDefinitions.findById(deps.db, params.id);
    if (content === undefined) throw refuse('not_found');
    if (!(await mayRead(deps, caller, content))) throw refuse('forbidden');
    if (content.kind !== 'LiveChannel')
      throw refuse('unsupported_content_kind', 'The content is not a live channel');
    return await listUsers(deps, content.id);
  },
});

/** Static tokens, administrators, the owner, and accounts with access may read. */
async function mayRead(deps: Pick<Deps, 'db'>, caller: Caller, content: ContentDefinition): Promise<boolean> {
  if (caller.role === 'Admin' || caller.role === 'Service') return true;
  if (caller.kind !== 'session') return false;
  if (content.ownerId === caller.accountId) return true;
  return (await contentAccess.findHolders(deps.db, content.id, [caller.accountId])).length > 0;
}

/** Needs one query and one batch of cached sessions for any number of users. */
async function listUsers(deps: Deps, contentDefinitionId: string) {
  const members = await findMembers(deps.db, contentDefinitionId);
  const sessions = members.flatMap(({ userId, sessionId }) =>
    sessionId === null ? [] : { accountId: userId, sessionId },
  );
  const present = await readPresence(deps, sessions);
  const online = latestOnline(deps, present.values());

  const Items: Item[] = [];
  const RelatedItems: Item[] = [];
  const seen = new Set<string>();
  for (const member of members) {
    // A user with several sessions has several rows.
    if (seen.has(member.userId)) continue;
    seen.add(member.userId);
    const reading = online.get(member.userId);
    if (reading !== undefined) Items.push(onlineItem(member, reading));
    else if (member.isGuest) RelatedItems.push(offlineItem(member));
  }
  return { Items, RelatedItems };
}

/** An account with access to a live channel, once for each active session, or with an invitation to it. */
interface ChannelMember {
  userId: string;
  email: string;
  displayName: string | null;
  isGuest: boolean;
  /** An active session; its cached copy shows whether it is in use. */
  sessionId: string | null;
  /** When a guest was last seen, according to Postgres. */
  lastSeenAt: Date | null;
  /** When a pending invitation was sent; `null` for those who have access. */
  invitedAt: Date | null;
}

/** All accounts with access to the content, including its owner, and its pending invitations, by name. */
async function findMembers(executor: Executor, contentDefinitionId: string) {
  const sql = `with holder as (
      select owner_id as account_id from content_definition where id = :id and owner_id is not null
      union
      select account_id from content_access
      where content_definition_id = :id and ${notEnded('expires_at')}
    ),
    member as (
      select
        a.id, a.email, a.display_name, a.role = 'Guest' as is_guest, active.id as session_id,
        case when a.role = 'Guest' then (
          select latest.last_seen_at from user_session latest
          where latest.account_id = a.id
          order by latest.created_at desc
          limit 1
        ) end as last_seen_at,
        null::timestamptz as invited_at
      from holder
      join account a on a.id = holder.account_id
      left join user_session active on active.account_id = a.id and active.ended_at is null
      union all
      select a.id, a.email, null, true, null, null, i.invited_at
      from invitation i
      join account a on a.id = i.account_id
      where i.content_definition_id = :id
        and i.accepted_at is null and i.deleted_at is null and i.expires_at > now()
    )
    select id as "userId", email, display_name as "displayName", is_guest as "isGuest",
      session_id as "sessionId", last_seen_at as "lastSeenAt", invited_at as "invitedAt"
    from member
    order by lower(coalesce(display_name, email)), id`;
  return query<ChannelMember>(executor, sql, { id: contentDefinitionId });
}

/** The online session of each account that was seen last. */
function latestOnline(deps: Pick<Deps, 'settings' | 'now'>, readings: Iterable<Reading>) {
  const online = new Map<string, Reading>();
  for (const reading of readings) {
    const { accountId, lastSeenAt } = reading.session;
    const other = online.get(accountId);
    if (!isOnline(deps, reading) || (other !== undefined && other.session.lastSeenAt >= lastSeenAt)) continue;
    online.set(accountId, reading);
  }
  return online;
}

function onlineItem(member: ChannelMember, { session }: Reading): Item {
  return {
    ...identityOf(member),
    SessionId: session.sessionId,
    SessionStatus: session.status,
    LastSeenAt: new Date(session.lastSeenAt * 1000).toISOString(),
  };
}

function offlineItem(member: ChannelMember): Item {
  const identity = identityOf(member);
  if (member.invitedAt !== null) {
    const InvitedAt = member.invitedAt.toISOString();
    return { ...identity, SessionStatus: SessionStatus.PendingInvite, InvitedAt };
  }
  return {
    ...identity,
    DisplayName: `${identity.DisplayName} (offline)`,
    SessionStatus: SessionStatus.SharedAccess,
    ...(member.lastSeenAt !== null && { LastSeenAt: member.lastSeenAt.toISOString() }),
  };
}

function identityOf(member: ChannelMember) {
  return {
    UserId: member.userId,
    DisplayName: member.displayName ?? member.email,
    Email: member.email,
    IsGuest: member.isGuest,
  };
}
