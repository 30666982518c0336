import {
  endOfCredential,
  hashInvitationToken,
  isChallengeOf,
  newInvitationToken,
  type BrowserSession,
  type Credential,
  type Refusal,
} from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  sessionCodes,
  type Account,
  type SessionCode,
  type Transaction,
} from '@gatehouse/db';
import type { SessionRefusal } from '@gatehouse/redis';
import { conditionOf } from '../checks/login-status.ts';
import type { AccountsDeps, Origin, RefreshDeps, SessionDeps, ThrottleDeps } from '../deps.ts';
import { refusalOfEnded } from '../session/refresh/refresh.ts';
import { write } from '../session/write.ts';
import {
  CODE_SECONDS,
  exchangeCode,
  givesAccess,
  type CodeExchange,
  type PresentedForSession,
} from './session-code.ts';

type Deps = ThrottleDeps & SessionDeps;

/** The app that gets the session, if it is not for the account pages. */
export interface HandoverToApp {
  /** The challenge whose verifier its server will present (RFC 7636, S256). */
  codeChallenge: string | undefined;
}

/** A code, or why there is none; `service`: a service account's session must not be used in a browser. */
export type HandOver =
  { kind: 'created'; code: string; expiresAt: Date } | { kind: 'service' } | Refusal<SessionRefusal>;

/**
 * Creates a code that can be exchanged once, within a minute, for a cookie of this session. The cookie expires with the
 * caller’s credential: otherwise a stolen access token would last as long as the session. An app's cookie expires like an access
 * token in any case. Whether the session is active is read from Postgres: a code must not outlive a session of which a
 * forged copy is in the cache.
 */
export async function handOver(
  deps: Deps & RefreshDeps,
  session: Omit<BrowserSession, 'endsAt'> & Credential,
  app: HandoverToApp | undefined,
  origin: Origin,
): Promise<HandOver> {
  const code = newInvitationToken();
  const ofCredential = endOfCredential(session);
  const ofApp = Math.floor(deps.now() / 1000) + deps.settings.ACCESS_TOKEN_SECONDS;
  const { accountId, sessionId } = session;
  const stored = {
    codeHash: hashInvitationToken(code),
    ...{ accountId, sessionId },
    endsAt: app === undefined ? ofCredential : Math.min(ofCredential ?? ofApp, ofApp),
    codeChallenge: app?.codeChallenge,
    lifetimeSeconds: CODE_SECONDS,
  };
  const expiresAt = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.findById(tx, accountId);
    return account?.isService === true ? 'service' : sessionCodes.insertForPages(tx, stored);
  });
  if (expiresAt === 'service') return { kind: 'service' };
  return expiresAt === undefined ? refusalOfEnded(deps, sessionId) : { kind: 'created', code, expiresAt };
}

/**
 * Uses up a code and returns its session, if that gives access now. Wrong verifiers count like wrong codes. A wrong verifier
 * does not use up the code: whoever has seen only the code cannot make it useless.
 */
export async function takeOver(
  deps: Deps,
  { codeVerifier, ...presented }: PresentedForSession & { codeVerifier?: string | undefined },
  origin: Origin,
): Promise<CodeExchange> {
  return exchangeCode(deps, presented, {
    find: async (codeHash) => {
      const code = await sessionCodes.findForPages(deps.db, codeHash);
      if (code === undefined || !isVerified(code.codeChallenge, codeVerifier)) return undefined;
      return ofActiveSession(deps, code);
    },
    open: ({ session }, codeHash) =>
      handedOver(deps, session, origin, {
        admits: (account) => account?.isService === false,
        use: (tx) => sessionCodes.use(tx, 'handover_code', codeHash),
      }),
  });
}

/**
 * Creates a single-use code, valid for a minute, for a console cookie that expires with the caller’s credential;
 * `undefined` if the session has just ended.
 */
export async function handOverToConsole(
  deps: Pick<Deps, 'db'>,
  session: Omit<BrowserSession, 'endsAt'> & Credential,
  origin: Origin,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const code = newInvitationToken();
  const { accountId, sessionId } = session;
  const stored = {
    ...({ codeHash: hashInvitationToken(code), purpose: 'hand-over', accountId, sessionId } as const),
    ...{ endsAt: endOfCredential(session), lifetimeSeconds: CODE_SECONDS },
  };
  const expiresAt = await inTransaction(deps.db, origin, (tx) => sessionCodes.insertForConsole(tx, stored));
  return expiresAt && { code, expiresAt };
}

/** Uses up a code that opens the console and returns its session, if it is an administrator's and gives access now. */
export async function takeConsoleCode(
  deps: Deps,
  presented: PresentedForSession,
  origin: Origin,
): Promise<CodeExchange> {
  return exchangeCode(deps, presented, {
    find: async (codeHash) => {
      const code = await sessionCodes.findForConsole(deps.db, codeHash, 'hand-over');
      return code && ofActiveSession(deps, code);
    },
    open: ({ session }, codeHash) =>
      handedOver(deps, session, origin, {
        admits: (account) => account?.role === 'Admin' && conditionOf(account) === undefined,
        use: (tx) => sessionCodes.use(tx, 'console_code', codeHash),
      }),
  });
}

/** A code with its session; it is valid if that gives access now. */
async function ofActiveSession(
  deps: Pick<AccountsDeps, 'sessionCache' | 'settings'>,
  { accountId, sessionId, endsAt, isValid }: SessionCode,
) {
  if (sessionId === null) return undefined;
  const session = { accountId, sessionId, endsAt: endsAt ?? undefined, isHandedOver: true };
  return { accountId, session, isValid: isValid && (await givesAccess(deps, session)) };
}

/** Uses up the code, if its account is admitted, and records that the session was handed over. */
async function handedOver(
  deps: SessionDeps,
  session: BrowserSession,
  origin: Origin,
  by: { admits: (account: Account | undefined) => boolean; use: (tx: Transaction) => Promise<boolean> },
): Promise<BrowserSession | undefined> {
  const { accountId, sessionId } = session;
  const target = { kind: 'UserSession', id: sessionId } as const;
  return write(deps, { actor: { kind: 'Account', id: accountId }, origin, target }, async (tx) => {
    if (!by.admits(await accounts.findById(tx, accountId)) || !(await by.use(tx))) return undefined;
    tx.audit('session.handed-over', { UserId: accountId });
    return session;
  });
}

/**
 * A verifier without a challenge is refused, too: otherwise an app's server, which always sends one, would exchange an
 * attacker's code that was requested without (RFC 9700, section 2.1.1).
 */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return isChallengeOf(verifier, challenge);
}
