import { ConfigError } from '@gatehouse/runtime';
import { sessionSlots, sessionTakeOvers } from '@gatehouse/db';
import type { Account, Authentication, HeldSlot, Transaction, userSessions } from '@gatehouse/db';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import type { AccountSettings } from '../settings/account-settings.ts';
import type { AccountsDeps, SessionSlots } from '../deps.ts';
import { readPresence } from './presence.ts';

/** The highest number of slots, of all tags together and of each tag for one account. */
export const SLOTS_MAX = 20;

/** The tag of the account pages and the console, if there are several. */
const PAGES_TAG = 'web';

const ENTRY = /^([a-z][a-z0-9-]{0,31}):([1-9]\d?)$/;

/** Reads `SESSION_SLOTS` and `SESSION_LIMIT`. @throws {ConfigError} with the setting's name and the first mistake. */
export function readSessionSlots(
  settings: Pick<AccountSettings, 'SESSION_SLOTS' | 'SESSION_LIMIT' | 'SINGLE_SESSION'>,
): SessionSlots {
  const { SESSION_SLOTS: list = '', SESSION_LIMIT, SINGLE_SESSION } = settings;
  const refuses = SESSION_LIMIT === 'refuse';
  if (!SINGLE_SESSION && (list !== '' || refuses)) {
    const name = list === '' ? 'SESSION_LIMIT=refuse' : 'SESSION_SLOTS';
    throw new ConfigError(
      `${name} needs SINGLE_SESSION=true: without it, accounts have any number of sessions`,
    );
  }
  if (list === '') return { perTag: new Map([['', 1]]), standard: '', refuses };
  const perTag = slotsIn(list);
  const total = [...perTag.values()].reduce((sum, slots) => sum + slots, 0);
  if (total > SLOTS_MAX)
    throw new ConfigError(`SESSION_SLOTS: has ${total} slots in all; at most ${SLOTS_MAX} are possible`);
  const [first = '', ...others] = perTag.keys();
  if (others.length > 0 && !perTag.has(PAGES_TAG)) {
    throw new ConfigError(
      `SESSION_SLOTS: with several tags, one must be "${PAGES_TAG}", which the account pages and the console use`,
    );
  }
  return { perTag, standard: others.length === 0 ? first : PAGES_TAG, refuses };
}

function slotsIn(list: string): Map<string, number> {
  const perTag = new Map<string, number>();
  for (const entry of list.split(',').map((part) => part.trim())) {
    const [, tag, slots] = ENTRY.exec(entry) ?? [];
    if (tag === undefined || slots === undefined) {
      throw new ConfigError(
        `SESSION_SLOTS: "${entry}" is not a tag with its number of slots, such as "web:1" or "smart-tv:2"`,
      );
    }
    if (perTag.has(tag)) throw new ConfigError(`SESSION_SLOTS: the tag "${tag}" is listed twice`);
    perTag.set(tag, Number(slots));
  }
  return perTag;
}

export function knownTags({ perTag }: SessionSlots): string[] {
  return [...perTag.keys()].filter((tag) => tag !== '');
}

/** The tags of which grants without a session take slots: not that of the account pages, whose sessions they would end. */
export function grantTags(slots: SessionSlots): string[] {
  return knownTags(slots).filter((tag) => tag !== slots.standard);
}

/** The tag as which a session counts; those of tags that are no longer configured count as standard ones. */
export function countedTag({ perTag, standard }: SessionSlots, tag: string): string {
  return perTag.has(tag) ? tag : standard;
}

export function limitOf({ perTag }: SessionSlots, account: { sessionLimit: number | null }, tag: string) {
  return account.sessionLimit ?? perTag.get(tag) ?? 1;
}

/** Whether a login ends every other session of an account without an exception of its own, and asks nobody. */
export function isSingleSession(settings: Pick<AccountSettings, 'SINGLE_SESSION'>, slots: SessionSlots) {
  const [only, ...others] = slots.perTag.values();
  return settings.SINGLE_SESSION && !slots.refuses && others.length === 0 && only === 1;
}

/** Whether the account may have only one session. A service account may have several, one for each replica. */
export function isExclusive(
  { SINGLE_SESSION }: Pick<AccountSettings, 'SINGLE_SESSION'>,
  { isService }: Pick<Account, 'isService'>,
): boolean {
  return SINGLE_SESSION && !isService;
}

/** The tag of a session for events and the audit; nothing if it has none. */
export function tagFact(tag: string): { SessionTag?: string } {
  return tag === '' ? {} : { SessionTag: tag };
}

type Deps = Pick<AccountsDeps, 'slots' | 'settings'>;

/** The place of a new session, and what ends for it: sessions, and grants of its tag. */
export interface Slot {
  kind: 'slot';
  tag: string;
  slot: number;
  isExclusive: boolean;
  replaced: userSessions.Target | undefined;
}

/** A session that takes a slot, as the person may see it who has just proved to be its owner. */
export interface ActiveSession {
  deviceName: string | undefined;
  userAgent: string | undefined;
  lastSeenAt: Date;
}

/** Every slot is taken by a session that was seen recently; the least recently seen one comes first. */
export interface SlotsTaken {
  kind: 'taken';
  tag: string;
  active: ActiveSession[];
}

/** When sessions were last seen according to their cached copies, in epoch seconds. */
export type LastSeenTimes = ReadonlyMap<string, number>;

/** More than the slots of an account, of which there are at most `SLOTS_MAX`. */
const READ_MAX = 100;
const NONE: LastSeenTimes = new Map();

/** Reads when sessions were last seen, as pings are written late: only where refusals or several slots need it. */
export async function readLastSeen(
  deps: Deps & Pick<AccountsDeps, 'db' | 'sessionCache'>,
  account: Account,
  wanted: string | undefined,
): Promise<LastSeenTimes> {
  const { slots } = deps;
  const tag = countedTag(slots, wanted ?? slots.standard);
  const limit = limitOf(slots, account, tag);
  if (!isExclusive(deps.settings, account) || (limit === 1 && !slots.refuses)) return NONE;
  const active = await sessionSlots.findActive(deps.db, account.id, READ_MAX);
  const sessions = active.filter((session) => countedTag(slots, session.tag) === tag);
  if (sessions.length < limit && !grantTags(slots).includes(tag)) return NONE;
  const present = await readPresence(deps, sessions);
  return new Map([...present].map(([id, { session }]) => [id, session.lastSeenAt]));
}

/** Whether every login ends all other sessions of the account: there is a single slot, and nobody is asked. */
export function isAlone({ slots, settings }: Deps, account: Account): boolean {
  if (!isExclusive(settings, account) || slots.refuses || slots.perTag.size > 1) return false;
  return limitOf(slots, account, slots.standard) === 1;
}

/**
 * Finds the place of a new session, or of a grant without one: the first free slot of its tag, or those of what was not
 * seen for the longest time, which ends for it. The account must be locked.
 */
export async function findSlot(
  deps: Deps,
  tx: Transaction,
  account: Account,
  wanted: { tag: string | undefined; takesOver: boolean; seen?: LastSeenTimes },
): Promise<Slot | SlotsTaken> {
  const { slots, settings } = deps;
  const tag = countedTag(slots, wanted.tag ?? slots.standard);
  const first = { kind: 'slot', tag, slot: 0 } as const;
  if (!isExclusive(settings, account)) return { ...first, isExclusive: false, replaced: undefined };
  const all = { kind: 'account', accountId: account.id } as const;
  if (isAlone(deps, account)) return { ...first, isExclusive: true, replaced: all };
  const held = await findHeld(deps, tx, [account.id], [tag]);
  const { living, ranOut } = sessionsOf(deps, held, tag, wanted.seen);
  const limit = limitOf(slots, account, tag);
  if (slots.refuses && !wanted.takesOver) {
    const longest = LONG_UNSEEN_FACTOR * settings.ONLINE_WINDOW_SECONDS;
    const recent = living.filter(({ lastSeenAt, now }) => now - lastSeenAt < longest);
    if (recent.length >= limit) return { kind: 'taken', tag, active: recent.slice(0, READ_MAX).map(shownOf) };
  }
  const { slot, ending } = makeRoom({ living, ranOut }, limit, tag);
  return { kind: 'slot', tag, slot, isExclusive: true, replaced: targetOf(ending) };
}

/** What takes slots of accounts: sessions of any tag, and grants of these. */
async function findHeld(
  { slots, settings }: Deps,
  tx: Transaction,
  accountIds: readonly string[],
  tags: readonly string[],
) {
  const sessions = await sessionSlots.findHeld(tx, accountIds);
  const ofGrants = grantTags(slots).filter((tag) => tags.includes(tag));
  if (ofGrants.length === 0) return sessions;
  const of = { accountIds, tags: ofGrants, grantIdleSeconds: settings.GRANT_IDLE_SECONDS };
  return [...sessions, ...(await sessionSlots.findHeldByGrants(tx, of))];
}

function targetOf(ending: readonly HeldSlot[]): userSessions.Target | undefined {
  if (ending.length === 0) return undefined;
  const idsOf = (grants: boolean) =>
    ending.filter(({ isGrant }) => isGrant === grants).map(({ sessionId }) => sessionId);
  return { kind: 'sessions', sessionIds: idsOf(false), grantIds: idsOf(true) };
}

/** What ends for one more, the least recently seen ones, and the lowest slot that is then free. */
function makeRoom(
  { living, ranOut }: { living: readonly HeldSlot[]; ranOut: readonly HeldSlot[] },
  limit: number,
  tag: string,
): { slot: number; ending: HeldSlot[] } {
  const surplus = Math.max(0, living.length - limit + 1);
  const ending = [...ranOut, ...living.slice(0, surplus)];
  const kept = living.slice(surplus).filter((one) => one.isExclusive && one.tag === tag);
  const taken = new Set(kept.map(({ slot }) => slot));
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return { slot, ending };
}

/**
 * The slot of each of these sessions that takes one when it becomes active again, by its id, and what ends for them: at
 * most one session of each account whose sessions take slots. The accounts (`owners`) must be locked.
 */
export async function roomForRevived(
  deps: Deps,
  tx: Transaction,
  revived: readonly { id: string; accountId: string; tag: string }[],
  owners: readonly Account[],
): Promise<{ slots: Map<string, number>; replaced: userSessions.Target | undefined }> {
  const exclusive = owners.filter((owner) => isExclusive(deps.settings, owner));
  const byId = new Map(exclusive.map((owner) => [owner.id, owner]));
  const held = new Map<string, HeldSlot[]>(exclusive.map(({ id }) => [id, []]));
  const tags = revived.map(({ tag }) => tag);
  for (const session of await findHeld(deps, tx, [...byId.keys()], tags))
    held.get(session.accountId)?.push(session);
  const slots = new Map<string, number>();
  const ending: HeldSlot[] = [];
  for (const { id, accountId, tag } of revived) {
    const owner = byId.get(accountId);
    if (owner === undefined) continue;
    const counted = countedTag(deps.slots, tag);
    const others = (held.get(accountId) ?? []).filter(({ sessionId }) => sessionId !== id);
    const room = makeRoom(sessionsOf(deps, others, counted), limitOf(deps.slots, owner, counted), tag);
    slots.set(id, room.slot);
    ending.push(...room.ending);
  }
  return { slots, replaced: targetOf(ending) };
}

/** A session that was not seen for this many online windows is replaced without asking. */
const LONG_UNSEEN_FACTOR = 10;

/** What counts for a tag: what gives access, least recently seen first, and sessions that have run out. */
function sessionsOf<Held extends HeldSlot>(
  { slots, settings }: Deps,
  held: readonly Held[],
  tag: string,
  seen: LastSeenTimes = NONE,
): { living: Held[]; ranOut: Held[] } {
  const mine = held
    .filter((session) => countedTag(slots, session.tag) === tag)
    .map((session) => ({
      ...session,
      lastSeenAt: Math.max(session.lastSeenAt, seen.get(session.sessionId) ?? 0),
    }))
    .toSorted((one, other) => one.lastSeenAt - other.lastSeenAt);
  const hasRunOut = ({ isGrant, lastSeenAt, expiresAt, now }: HeldSlot) =>
    !isGrant && (expiresAt <= now || lastSeenAt + settings.SESSION_IDLE_SECONDS <= now);
  return { living: mine.filter((one) => !hasRunOut(one)), ranOut: mine.filter(hasRunOut) };
}

function shownOf({ deviceName, userAgent, lastSeenAt }: HeldSlot): ActiveSession {
  return {
    deviceName: deviceName ?? undefined,
    userAgent: userAgent ?? undefined,
    lastSeenAt: new Date(lastSeenAt * 1000),
  };
}

export const TAKE_OVER_SECONDS = 120;

/** Stores a login whose proof is complete, and returns the token that stands for it. */
export async function keepLogin(
  tx: Transaction,
  account: Account,
  login: { tag: string; deviceName: string | undefined; authentication: Authentication },
): Promise<string> {
  const token = newInvitationToken();
  await sessionTakeOvers.insert(tx, {
    ...login,
    tokenHash: hashInvitationToken(token),
    accountId: account.id,
    passwordVersion: account.passwordVersion,
    lifetimeSeconds: TAKE_OVER_SECONDS,
  });
  return token;
}
