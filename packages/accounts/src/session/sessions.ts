import type { BrowserSession } from '@gatehouse/auth-core';
import { SessionStatus, type EndReason } from '@gatehouse/schema';
import {
  accounts,
  inTransaction,
  outbox,
  ownSessions,
  userSessions,
  type Account,
  type Authentication,
  type SessionState,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, OpeningDeps, Origin, SessionDeps } from '../deps.ts';
import { cachedSessionOf } from './session-source.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import { isExclusive } from './is-exclusive.ts';
import { conditionOf, type AccountCondition } from '../checks/login-status.ts';
import { mailAboutNewDevice } from '../checks/new-device.ts';

/** The tokens that a login or a refresh returns. */
export interface TokenSet {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

/** The result of opening a session; `stale`: what was checked (account, password, second factor) has changed. */
export type Opening = { kind: 'opened'; tokens: TokenSet; sessionId: string } | Refused;
type Refused = { kind: 'condition'; condition: AccountCondition } | { kind: 'stale' };
type LoginOrigin = Origin & {
  deviceName?: string | undefined;
  /** The identity provider that recognised the owner. */
  ssoProvider?: string | undefined;
  /** The session id at that provider, if it sent one. */
  ssoSid?: string | undefined;
  /** The `identityDigest` of the owner at that provider. */
  ssoIdentityDigest?: Buffer | undefined;
  /** How the owner was authenticated. */
  authentication: Authentication;
  /** Takes locks that must be taken before the account's lock. */
  lockFirst?: ((tx: Transaction) => Promise<void>) | undefined;
};
/** Called in the transaction that opens a session; its writes are stored with the session, or not at all. */
export type OnSessionOpen = (tx: Transaction, session: BrowserSession) => Promise<unknown>;
type Added = { kind: 'added'; account: Account; states: SessionState[] };

/**
 * Opens a session for an account whose owner has just been authenticated. If the account may have only one
 * (`isExclusive`), every earlier session ends as `SessionReplaced` in the same transaction; the lock on the account
 * serialises concurrent logins, and the partial unique index makes two active sessions impossible.
 *
 * A chat restriction goes over to the new session, so that another login does not end it.
 *
 * `prove` uses up the second factor in the same transaction; `false`, which rolls everything back, if it was already
 * used. Without `prove`, an account that requires a second factor by now is `stale`. `onOpen` writes rows that belong
 * to the session: both are stored, or neither.
 */
export async function openSession(
  deps: OpeningDeps,
  recognised: Account,
  origin: LoginOrigin,
  prove?: (tx: Transaction) => Promise<boolean>,
  onOpen?: OnSessionOpen,
): Promise<Opening> {
  const { db, sessionCache, tokens, refreshTokens, settings } = deps;
  const sessionId = newId();
  const [refreshCurrent, refreshNext] = [refreshTokens.newNonce(), refreshTokens.newNonce()];

  const opened = await inTransaction(db, origin, async (tx, rollBack): Promise<Refused | Added> => {
    await origin.lockFirst?.(tx);
    const account = await accounts.lockById(tx, recognised.id);
    if (account?.passwordVersion !== recognised.passwordVersion) return { kind: 'stale' };
    const condition = conditionOf(account);
    if (condition !== undefined) return { kind: 'condition', condition };
    const { deviceName, userAgent } = origin;
    // Whether two factors are enabled is read after locking: the locked row may have been selected before a change.
    const device = { deviceName, userAgent, idleSeconds: idleSecondsIn(settings) };
    const facts = await ownSessions.findLoginFacts(tx, account.id, device);
    const needsProof = account.isTwoFactorRequired || facts.isTwoFactorEnabled;
    const isProved = prove === undefined ? !needsProof : await prove(tx);
    // A rollback also restores what `prove` used up: a failed login uses up no code.
    if (!isProved) return rollBack({ kind: 'stale' });
    if (facts.isNewDevice) await mailAboutNewDevice(deps, tx, account, sessionId, origin);
    const status = facts.isChatDisabled ? SessionStatus.ChatDisabled : statusFor(account);
    const fresh = { id: sessionId, status, refreshCurrent, refreshNext };
    const added = await addSession(deps, tx, account, fresh, origin);
    await onOpen?.(tx, { accountId: account.id, sessionId });
    return added;
  });
  if (opened.kind !== 'added') return opened;

  deps.signIns.succeeded(attemptOf(recognised.id, origin));
  deps.relay.wake();
  await sessionCache.write(opened.states.map(cachedSessionOf));
  const { id: accountId, role } = opened.account;
  const { token } = await tokens.sign({ accountId, sessionId, role });
  return {
    kind: 'opened',
    sessionId,
    tokens: {
      Token: token,
      RefreshToken: refreshTokens.issue(sessionId, refreshCurrent),
      ExpirationSeconds: settings.ACCESS_TOKEN_SECONDS,
    },
  };
}

/** The sign-in, as it is recorded. */
function attemptOf(accountId: string, origin: LoginOrigin) {
  const { ssoProvider: provider, authentication, address, userAgent, traceId } = origin;
  const own = authentication.by[0] === 'passkey' ? 'Passkey' : 'Password';
  const method = provider === undefined ? own : 'SignOn';
  return { accountId, method, provider, address, userAgent, traceId } as const;
}

/** Ends the sessions that a login replaces and adds the new one, with history, events and audit. */
async function addSession(
  deps: OpeningDeps,
  tx: Transaction,
  account: Account,
  fresh: Pick<userSessions.NewSession, 'id' | 'status' | 'refreshCurrent' | 'refreshNext'>,
  origin: LoginOrigin,
): Promise<Added> {
  const { settings } = deps;
  const replaced = isExclusive(settings, account)
    ? await endStates(deps, tx, { kind: 'account', accountId: account.id }, REPLACED)
    : [];
  const { ssoProvider, authentication } = origin;
  const own = authentication.by[0] === 'passkey' ? 'login.passkey' : 'login.password';
  countOnCommit(deps, tx, ssoProvider === undefined ? own : `login.sso.${ssoProvider}`);
  const added = await userSessions.insert(
    tx,
    {
      ...fresh,
      accountId: account.id,
      isExclusive: isExclusive(settings, account),
      ssoProvider,
      ssoSid: origin.ssoSid,
      ssoIdentityDigest: origin.ssoIdentityDigest,
      deviceName: origin.deviceName,
      userAgent: origin.userAgent,
      ipAddress: origin.address,
      authentication,
      lifetimeSeconds: settings.SESSION_MAX_SECONDS,
    },
    { tokenSeconds: settings.ACCESS_TOKEN_SECONDS },
  );
  const started = { UserId: account.id, SessionId: fresh.id, Status: fresh.status };
  await outbox.add(tx, [...endedEvents(replaced, origin), newEvent('session.started', started, origin)]);
  return { kind: 'added', account, states: [...replaced, ...added] };
}

/** The status of a session without restrictions. */
function statusFor({ role }: Account): SessionStatus {
  return role === 'Guest' ? SessionStatus.SharedAccess : SessionStatus.Normal;
}

const REPLACED = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy: undefined } as const;

/**
 * Ends active sessions within a transaction, with their history and events. After the commit, pass the returned ids to
 * `publishSessions`: only then have the sessions ended everywhere.
 */
export async function endSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  target: userSessions.Target,
  change: Ending,
  origin: Pick<Origin, 'traceId'> | undefined,
): Promise<string[]> {
  const ended = await endStates(deps, tx, target, change);
  await outbox.add(tx, endedEvents(ended, origin));
  return ended.map(({ sessionId }) => sessionId);
}

type Ending = { status: SessionStatus; reason: EndReason; changedBy: string | undefined };

/** Like `endSessions`, without the events. */
async function endStates(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  target: userSessions.Target,
  change: Ending,
): Promise<userSessions.EndedState[]> {
  const { settings } = deps;
  const ended = await userSessions.end(tx, target, change, {
    tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
    idleSeconds: idleSecondsIn(settings),
    expiredStatus: SessionStatus.Expired,
  });
  for (const { endReason } of ended) countOnCommit(deps, tx, `session.${endReason}`);
  return ended;
}

/** The idle lifetime, as far as Postgres knows when a session was last seen. */
function idleSecondsIn({ SESSION_IDLE_SECONDS }: AccountsDeps['settings']): number {
  return SESSION_IDLE_SECONDS + lastSeenDelaySeconds(SESSION_IDLE_SECONDS);
}

function endedEvents(
  ended: readonly userSessions.EndedState[],
  origin: Pick<Origin, 'traceId'> | undefined,
): AnyEvent[] {
  return ended.map(({ sessionId, accountId, status, endReason }) => {
    const data = { SessionId: sessionId, UserId: accountId, Status: status, Reason: endReason };
    return newEvent('session.ended', data, { traceId: origin?.traceId });
  });
}

/** Makes committed changes of sessions effective on every service. */
export async function publishSessions(
  deps: Pick<SessionDeps, 'db' | 'relay' | 'sessionCache'>,
  sessionIds: readonly string[],
): Promise<void> {
  deps.relay.wake();
  if (sessionIds.length === 0) return;
  await deps.sessionCache.write((await userSessions.findStates(deps.db, sessionIds)).map(cachedSessionOf));
}

/**
 * The delay with which Postgres learns when a session was last seen, in seconds: a quarter of the idle lifetime, at
 * most 5.
 */
export function lastSeenDelaySeconds(idleSeconds: number): number {
  return Math.min(5, idleSeconds / 4);
}
