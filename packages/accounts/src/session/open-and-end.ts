import type { BrowserSession } from '@gatehouse/auth-core';
import { SessionStatus, type EndReason } from '@gatehouse/schema';
import {
  accounts,
  audit,
  begunLogins,
  clientSessions,
  inTransaction,
  loginCodes,
  outbox,
  sessionsOfOwner,
  userSessions,
} from '@gatehouse/db';
import type {
  Account,
  Authentication,
  AuthenticationMethod,
  SessionState,
  ToldBan,
  Transaction,
} from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, OpeningDeps, Origin, SessionDeps } from '../deps.ts';
import { countOnCommit, LOGIN_KINDS } from '../checks/count-on-commit.ts';
import { conditionOf, type AccountCondition } from '../checks/login-status.ts';
import { mailAboutNewDevice } from '../checks/mailing.ts';
import { cachedSessionOf, idleSecondsIn, LOGOUT, PROVIDER_LOGOUT } from './session-source.ts';
import { findSlot, keepLogin, readLastSeen, tagFact, type ActiveSession, type Slot } from './slots.ts';

export interface TokenSet {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

/** The result of opening a session; `stale`: what was checked (account, password, second factor) has changed. */
export type Opening = { kind: 'opened'; tokens: TokenSet; sessionId: string } | SessionExists | Refused;
type Refused =
  { kind: 'condition'; condition: AccountCondition; ban?: ToldBan | undefined } | { kind: 'stale' };
/** Every slot is taken, and `SESSION_LIMIT` is `refuse`; the same login with the token takes one over. */
export type SessionExists = { kind: 'exists'; active: ActiveSession[]; takeOverToken: string };
export type LoginOrigin = Origin & {
  deviceName?: string | undefined;
  /** The tag that the login asked for, which is known. */
  tag?: string | undefined;
  /** Writes data that is stored with the opened session; if it throws, no session is opened. */
  onOpen?: OnSessionOpen | undefined;
};
export type SessionOrigin = Omit<LoginOrigin, 'onOpen'> & {
  /** Whether it ends another session if every slot is taken, also where `SESSION_LIMIT` is `refuse`. */
  takesOver?: boolean | undefined;
  /** Returns a token that stands for the proof that this login has used up; `keepLogin` unless given. */
  keepProof?: typeof keepLogin | undefined;
  ssoProvider?: string | undefined;
  /** The session id at that provider, if it sent one. */
  ssoSid?: string | undefined;
  ssoIdentityDigest?: Buffer | undefined;
  authentication: Authentication;
  /** Takes locks that must be taken before the account's lock. */
  lockFirst?: ((tx: Transaction) => Promise<void>) | undefined;
};
export type OnSessionOpen = (tx: Transaction, session: BrowserSession) => Promise<unknown>;
type Added = { kind: 'added'; account: Account; states: SessionState[] };

/** Uses up what proves the owner. `needsSecondFactor`: whether the account, which is locked, requires one. */
type Prove = (tx: Transaction, needsSecondFactor: boolean) => Promise<boolean>;

/**
 * Opens a session for an account whose owner has just been authenticated. If it may have only one (`isExclusive`),
 * every earlier one ends as `SessionReplaced` in the same transaction; the account's lock serialises logins, and the
 * partial unique index makes two in one slot impossible. With several slots (`findSlot`), only those end that must make
 * room. A chat restriction goes over to the new session: another login must not end it.
 *
 * `prove` uses up the proof in the same transaction; `false`, if that was used, rolls back. Without it, an account that
 * needs a second factor by now is `stale`. What a login has proved that is then refused (`exists`) stays used up, and a
 * token stands for it. `onOpen` writes rows that are stored with the session, or not at all.
 */
export async function openSession(
  deps: OpeningDeps,
  recognised: Account,
  origin: SessionOrigin,
  prove?: Prove,
  onOpen?: OnSessionOpen,
): Promise<Opening> {
  const { db, sessionCache, tokens, refreshTokens, settings } = deps;
  const sessionId = newId();
  const [refreshCurrent, refreshNext] = [refreshTokens.newNonce(), refreshTokens.newNonce()];

  const seen = await readLastSeen(deps, recognised, origin.tag);
  const opened = await inTransaction(
    db,
    origin,
    async (tx, rollBack): Promise<Exclude<Opening, { kind: 'opened' }> | Added> => {
      audit.setAuthor(tx, { actor: { kind: 'Account' }, origin });
      await origin.lockFirst?.(tx);
      const account = await accounts.lockById(tx, recognised.id);
      if (account?.passwordVersion !== recognised.passwordVersion) return { kind: 'stale' };
      const condition = conditionOf(account);
      if (condition !== undefined) return { kind: 'condition', condition };
      const { deviceName, userAgent } = origin;
      // Whether two factors are enabled is read after locking: the locked row may have been selected before a change.
      const device = { deviceName, userAgent, idleSeconds: idleSecondsIn(settings) };
      const facts = await sessionsOfOwner.findLoginFacts(tx, { accountId: account.id, ...device });
      const needsProof = account.isTwoFactorRequired || facts.isTwoFactorEnabled;
      const isProved = prove === undefined ? !needsProof : await prove(tx, needsProof);
      // A rollback also restores what `prove` used up: a failed login uses up no code.
      if (!isProved) return rollBack({ kind: 'stale' });
      const { tag, takesOver = false, keepProof = keepLogin } = origin;
      const slot = await findSlot(deps, tx, account, { tag, takesOver, seen });
      if (slot.kind === 'taken') {
        const proved = { tag: slot.tag, deviceName, authentication: origin.authentication };
        return { kind: 'exists', active: slot.active, takeOverToken: await keepProof(tx, account, proved) };
      }
      if (facts.isNewDevice) await mailAboutNewDevice(deps, tx, account, sessionId, origin);
      const status = facts.isChatDisabled ? SessionStatus.ChatDisabled : statusFor(account);
      const fresh = { id: sessionId, status, refreshCurrent, refreshNext };
      const added = await addSession(deps, tx, account, { ...fresh, ...slot }, origin);
      await onOpen?.(tx, { accountId: account.id, sessionId });
      return added;
    },
  );
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

/** Ends the sessions that a login replaces and adds the new one, with history, events and audit. */
async function addSession(
  deps: OpeningDeps,
  tx: Transaction,
  account: Account,
  { replaced: making, ...fresh }: Slot & Pick<userSessions.NewSession, FreshField>,
  origin: SessionOrigin,
): Promise<Added> {
  const { settings } = deps;
  const replaced = making === undefined ? [] : await endStates(deps, tx, making, REPLACED);
  const { ssoProvider, authentication } = origin;
  countOnCommit(deps, tx, countedAs(origin));
  const added = await userSessions.insert(
    tx,
    {
      ...fresh,
      accountId: account.id,
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
  const started = { UserId: account.id, SessionId: fresh.id, Status: fresh.status, ...tagFact(fresh.tag) };
  await outbox.add(tx, [...endedEvents(replaced, origin), newEvent('session.started', started, origin)]);
  return { kind: 'added', account, states: [...replaced, ...added] };
}

type FreshField = 'id' | 'status' | 'refreshCurrent' | 'refreshNext';

function statusFor({ role }: Account): SessionStatus {
  return role === 'Guest' ? SessionStatus.SharedAccess : SessionStatus.Normal;
}

const REPLACED = {
  status: SessionStatus.SessionReplaced,
  reason: 'replaced',
  changedBy: undefined,
} as const;

/**
 * Ends active sessions, with history and events; pass the returned ids to `publishSessions` after the commit, which
 * ends them everywhere. If somebody ends them (they do not run out, and no login takes their place), begun logins end,
 * too. With all sessions of an account, or those of a way in, applications' grants end as well.
 */
export async function endSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  target: userSessions.Target,
  change: Ending,
  origin: Pick<Origin, 'traceId'> | undefined,
): Promise<string[]> {
  const voidsLogins = change.reason !== 'expired' && change.reason !== 'replaced';
  const named = accountsOf(target);
  if (voidsLogins && named === undefined) await userSessions.lockOwners(tx, target);
  const ended = await endStates(deps, tx, target, change);
  if (voidsLogins) await begunLogins.deleteOf(tx, named ?? ended.map(({ accountId }) => accountId));
  const grants = grantsOf(target);
  if (voidsLogins && named !== undefined && grants !== undefined)
    await clientSessions.endOwn(tx, named, change.reason, grants.openedBy);
  await outbox.add(tx, endedEvents(ended, origin));
  return ended.map(({ sessionId }) => sessionId);
}

/** The accounts that a target names, which the caller has locked. */
function accountsOf(target: userSessions.Target): readonly string[] | undefined {
  if (target.kind === 'accounts') return target.accountIds;
  return 'accountId' in target ? [target.accountId] : undefined;
}

/** What ends with a target that lives without a session: all, or what the way in has opened that is removed. */
function grantsOf(target: userSessions.Target): { openedBy?: AuthenticationMethod } | undefined {
  if (target.kind === 'passkey') return { openedBy: 'passkey' };
  if (target.kind === 'signed-on') return { openedBy: 'sign-on' };
  const endsAll = target.kind === 'accounts' || (target.kind === 'account' && target.keepsGrants !== true);
  return endsAll ? {} : undefined;
}

type Ending = { status: SessionStatus; reason: EndReason; changedBy: string | undefined };

export function statusAfter(reason: EndReason): SessionStatus {
  return ENDED_AS[reason] ?? SessionStatus.Deactivated;
}

const ENDED_AS: Partial<Record<EndReason, SessionStatus>> = {
  access_revoked: SessionStatus.DeletedInvite,
  account_expired: SessionStatus.Expired,
  expired: SessionStatus.Expired,
  invited_anew: SessionStatus.Expired,
  [LOGOUT]: SessionStatus.Expired,
  [PROVIDER_LOGOUT]: SessionStatus.Expired,
  replaced: SessionStatus.SessionReplaced,
};

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
  if (target.kind === 'sessions' && target.grantIds?.length)
    await clientSessions.removeOwn(tx, { ids: target.grantIds }, change.reason);
  return ended;
}

function endedEvents(
  ended: readonly userSessions.EndedState[],
  origin: Pick<Origin, 'traceId'> | undefined,
): AnyEvent[] {
  return ended.map(({ sessionId, accountId, status, endReason, tag }) => {
    const own = { SessionId: sessionId, UserId: accountId };
    const data = { ...own, Status: status, Reason: endReason, ...tagFact(tag) };
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

type ProvedOrigin = Origin & { authentication: Authentication; ssoProvider?: string | undefined };

/** What opened a session without a sign-on, by the first proof; a password unless listed. */
const METHODS: Partial<Record<AuthenticationMethod, 'Passkey' | 'MailCode'>> = {
  passkey: 'Passkey',
  'mail-code': 'MailCode',
};

function methodOf({ authentication }: ProvedOrigin) {
  return METHODS[authentication.by[0] ?? 'password'] ?? 'Password';
}

function attemptOf(accountId: string, origin: ProvedOrigin) {
  const { ssoProvider: provider, address, userAgent, traceId } = origin;
  const method = provider === undefined ? methodOf(origin) : 'SignOn';
  return { accountId, method, provider, address, userAgent, traceId } as const;
}

function countedAs(origin: ProvedOrigin) {
  const { ssoProvider } = origin;
  if (ssoProvider !== undefined) return `login.sso.${ssoProvider}` as const;
  return `login.${LOGIN_KINDS[methodOf(origin)]}` as const;
}

/** Voids mailed codes and tokens of begun logins: what proved enough may be too little with another role or email. */
export async function voidBegunLogins(tx: Transaction, accountId: string): Promise<void> {
  await loginCodes.deleteAll(tx, accountId);
  await begunLogins.deleteOf(tx, [accountId]);
}
