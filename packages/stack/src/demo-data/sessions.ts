import { SessionStatus } from '@gatehouse/schema';
import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import { someAddress, someDevice } from './devices.ts';
import { bytea, type Row } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';

/** How sessions end, each with its share out of ten. */
const ENDS: readonly [string, SessionStatus, number][] = [
  ['expired', SessionStatus.Expired, 4],
  ['logout', SessionStatus.Expired, 3],
  ['replaced', SessionStatus.SessionReplaced, 2],
  ['administrator', SessionStatus.Deactivated, 1],
];
const DAYS = 30;
const LIFETIME = 30 * DAY;

/** The rows of `user_session` and `session_event`: current sessions and those of the last month. */
export function inventSessions(
  world: DemoWorld,
  people: readonly DemoPerson[],
  { adminId, channelIds }: { adminId: string; channelIds: readonly [string, ...string[]] },
): { user_session: Row[]; session_event: Row[] } {
  const { random } = world;
  const sessions: Row[] = [];
  for (const person of people) {
    const { lastLoginAt, role, condition } = person;
    if (lastLoginAt === undefined) continue;
    const earlier = random.whole(0, 4);
    for (let number = 0; number < earlier; number += 1) {
      const at = new Date(lastLoginAt.getTime() - random.whole(1, 10 * 24) * HOUR);
      if (at > ago(world, DAYS * DAY) && at > person.createdAt) sessions.push(ended(world, person, at));
    }
    const isHere = condition === 'fine' && world.now.getTime() - lastLoginAt.getTime() < 2 * DAY;
    if (!isHere) sessions.push(ended(world, person, lastLoginAt));
    else {
      const isChatOff = random.isLucky(0.08);
      const status = isChatOff ? SessionStatus.ChatDisabled : SessionStatus.Normal;
      const watching = random.isLucky(0.5) ? random.pick(channelIds) : null;
      const active = sessionOf(world, person, lastLoginAt);
      const since = random.isLucky(0.4) ? 0 : random.whole(2, 80) * MINUTE;
      const seenAt = new Date(Math.max(ago(world, since).getTime(), lastLoginAt.getTime()));
      sessions.push({
        ...active,
        status: role === 'Guest' ? SessionStatus.SharedAccess : status,
        last_seen_at: seenAt,
        last_pinged_at: seenAt,
        content_definition_id: watching,
      });
    }
  }
  return {
    user_session: sessions,
    session_event: sessions.flatMap((session) => historyOf(session, adminId)),
  };
}

function sessionOf(world: DemoWorld, person: DemoPerson, createdAt: Date): Row {
  const { random } = world;
  const device = someDevice(random);
  return {
    id: random.idAt(createdAt),
    account_id: person.id,
    status: SessionStatus.Normal,
    is_exclusive: true,
    version: 1,
    refresh_current: bytea(random.bytes(32)),
    refresh_next: bytea(random.bytes(32)),
    refresh_overtaken: [],
    refresh_overtaken_at: [],
    sso_provider: person.hasSignOn && random.isLucky(0.7) ? 'demo' : null,
    device_name: device.name,
    user_agent: device.userAgent,
    ip_address: someAddress(random),
    content_definition_id: null,
    created_at: createdAt,
    last_seen_at: createdAt,
    last_pinged_at: null,
    expires_at: new Date(createdAt.getTime() + LIFETIME),
    ended_at: null,
    end_reason: null,
    password_version: 0,
  };
}

function ended(world: DemoWorld, person: DemoPerson, createdAt: Date): Row {
  const { random } = world;
  const [reason, status] = random.pick(
    ENDS.flatMap((end) => Array.from({ length: end[2] }, () => end)) as [
      // Ten entries in total.
      (typeof ENDS)[number],
    ],
  );
  const seenAt = Math.min(createdAt.getTime() + random.whole(3, 300) * MINUTE, world.now.getTime() - MINUTE);
  const endedAt = reason === 'expired' ? Math.min(seenAt + 2 * HOUR, world.now.getTime()) : seenAt;
  return {
    ...sessionOf(world, person, createdAt),
    status,
    version: 2,
    last_seen_at: new Date(seenAt),
    last_pinged_at: new Date(seenAt),
    ended_at: new Date(endedAt),
    end_reason: reason,
  };
}

function historyOf(session: Row, adminId: string): Row[] {
  const entry = (status: unknown, at: unknown, by: string | null, reason: unknown): Row => ({
    session_id: session['id'],
    account_id: session['account_id'],
    status,
    changed_at: at,
    changed_by: by,
    reason,
    token_expires_at: at,
  });
  const [status, endedAt, reason] = [session['status'], session['ended_at'], session['end_reason']];
  const login = entry(SessionStatus.Normal, session['created_at'], null, 'login');
  const isByAdmin = reason === 'administrator' || status === SessionStatus.ChatDisabled;
  if (endedAt === null && !isByAdmin) return [{ ...login, status }];
  const words = isByAdmin ? 'Asked for by its owner' : reason;
  return [login, entry(status, endedAt ?? session['last_seen_at'], isByAdmin ? adminId : null, words)];
}
