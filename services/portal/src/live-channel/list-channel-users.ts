import { isOnline, readPresence } from '@gatehouse/accounts';
import { type Caller } from '@gatehouse/auth-core';
import { type Reading } from '@gatehouse/redis';
import { Email, Integers, SessionStatus, type Static, Timestamp, Type, Uuid } from '@gatehouse/schema';
import {
  channelMembers,
  contentAccess,
  contentDefinitions,
  type ChannelMember,
  type ContentDefinition,
} from '@gatehouse/db';
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

export const listChannelUsers = route({
  method: 'get',
  path: '/user-session/:id',
  operationId: 'listChannelUsers',
  tag: 'Guests',
  summary: 'List the users of a live channel',
  description:
    '`Items` contains the users with access who are online, once each, by name. `RelatedItems` contains guests ' +
    'with access who are offline, and pending invitations.',
  access: 'bearer',
  params: Type.Object({ id: Uuid() }),
  response: Type.Object({ Items: Type.Array(Item), RelatedItems: Type.Array(Item) }),
  errors: ['unsupported_content_kind', 'forbidden', 'not_found'],
  handler: async ({ params, caller, deps, refuse }) => {
    const content = await contentDefinitions.findById(deps.db, params.id);
    if (content === undefined) throw refuse('not_found');
    if (!(await mayRead(deps, caller, content))) throw refuse('forbidden');
    if (content.kind !== 'LiveChannel') {
      throw refuse('unsupported_content_kind', 'The content is not a live channel');
    }
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
async function listUsers(
  deps: Pick<Deps, 'db' | 'sessionCache' | 'settings' | 'now'>,
  contentDefinitionId: string,
) {
  const members = await channelMembers.find(deps.db, contentDefinitionId);
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

/** The online session of each account that was seen last. */
function latestOnline(
  deps: Pick<Deps, 'settings' | 'now'>,
  readings: Iterable<Reading>,
): Map<string, Reading> {
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
