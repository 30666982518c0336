import {
  endOfCredential,
  hashInvitationToken,
  newInvitationToken,
  type BrowserSession,
  type Credential,
} from '@gatehouse/auth-core';
import {
  accounts,
  audit,
  consoleCodes,
  inTransaction,
  type Account,
  type ConsoleCodePurpose,
  type Transaction,
} from '@gatehouse/db';
import type { AccountsDeps, Origin, ThrottleDeps } from '../deps.ts';
import type { Throttled } from '../checks/attempts.ts';
import { conditionOf } from '../checks/login-status.ts';
import {
  CODE_SECONDS,
  EXPIRED_CHECK,
  exchangeThrottled,
  FAILED_CHECK,
  givesAccess,
  isElsewhere,
  type ShownCode,
} from './exchange-code.ts';

type Deps = ThrottleDeps & Pick<AccountsDeps, 'sessionCache'>;

/** A code for the console, and the function that stores it. */
export function newConsoleCode(purpose: ConsoleCodePurpose) {
  const code = newInvitationToken();
  const codeHash = hashInvitationToken(code);
  return {
    code,
    /** Stores the code; returns when it expires, or `undefined` if its session has ended. */
    keep: (
      tx: Transaction,
      owner: { accountId: string; sessionId?: string; endsAt?: number | undefined },
    ): Promise<Date | undefined> =>
      consoleCodes.insert(tx, {
        codeHash,
        purpose,
        accountId: owner.accountId,
        sessionId: owner.sessionId,
        endsAt: owner.endsAt,
        lifetimeSeconds: CODE_SECONDS,
      }),
  };
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
  const { code, keep } = newConsoleCode('hand-over');
  const owner = { ...session, endsAt: endOfCredential(session) };
  const expiresAt = await inTransaction(deps.db, origin, (tx) => keep(tx, owner));
  return expiresAt && { code, expiresAt };
}

/** The session that a code gave, or why it gave none; `elsewhere`: the browser is logged in with another account. */
export type ConsoleCodeResult =
  ({ kind: 'taken' } & BrowserSession) | { kind: 'failed' } | { kind: 'elsewhere' } | Throttled;

/**
 * Uses up a code that opens the console and returns its session, if it is an administrator's and still valid. It never
 * replaces another account's session in the browser (`present`): a link with an attacker's own code would otherwise
 * make an administrator continue in the attacker's account.
 */
export async function takeConsoleCode(
  deps: Deps,
  { code, present, addressGroup }: ShownCode & { present: BrowserSession | undefined },
  origin: Origin,
): Promise<ConsoleCodeResult> {
  return exchangeThrottled<ConsoleCodeResult>(deps, { code, addressGroup }, async (codeHash) => {
    const kept = await consoleCodes.find(deps.db, codeHash, 'hand-over');
    if (kept?.sessionId == null) return FAILED_CHECK;
    const { accountId, sessionId, endsAt } = kept;
    const session = {
      ...{ accountId, sessionId, endsAt: endsAt ?? undefined },
      isHandedOver: true,
    };
    if (!(await givesAccess(deps, session))) return EXPIRED_CHECK;
    if (await isElsewhere(deps, present, accountId))
      return { counts: 'aborted', outcome: { kind: 'elsewhere' } };
    const isTaken = await inTransaction(deps.db, origin, async (tx) => {
      if (!isAdministrator(await accounts.findById(tx, session.accountId))) return false;
      if (!(await consoleCodes.use(tx, codeHash))) return false;
      const actor = { kind: 'Account', id: session.accountId } as const;
      const target = { kind: 'UserSession', id: session.sessionId } as const;
      const details = { UserId: session.accountId };
      await audit.append(tx, [{ action: 'session.handed-over', actor, target, details }], origin);
      return true;
    });
    return isTaken ? { counts: 'succeeded', outcome: { kind: 'taken', ...session } } : EXPIRED_CHECK;
  });
}

function isAdministrator(account: Account | undefined): boolean {
  return account?.role === 'Admin' && conditionOf(account) === undefined;
}
