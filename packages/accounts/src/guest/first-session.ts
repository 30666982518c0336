import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, BY_MAIL_CODE, guestLogins, type Transaction } from '@gatehouse/db';
import { allowsEmailLogin, requiresSecondFactor } from '../checks/login-status.ts';
import type { OpeningDeps, Origin, ThrottleDeps } from '../deps.ts';
import {
  CODE_SECONDS,
  exchangeCode,
  type CodeExchange,
  type PresentedForSession,
} from '../handover/session-code.ts';
import { openSession } from '../session/open-and-end.ts';

/** Distinguishes these codes from those that hand over a session. */
const PREFIX = 'gst_';

/** Whether this is the code of a guest who has accepted an invitation, valid or not. */
export function isGuestLoginCode(code: string): boolean {
  return code.startsWith(PREFIX);
}

/**
 * Creates the code with which a guest who has just accepted an invitation opens a session, once and within a minute. The
 * service that accepts invitations opens no sessions itself.
 */
export async function newGuestLogin(tx: Transaction, accountId: string): Promise<string> {
  const code = newInvitationToken();
  const codeHash = hashInvitationToken(code);
  await guestLogins.insert(tx, { codeHash, accountId, lifetimeSeconds: CODE_SECONDS });
  return PREFIX + code;
}

/** Opens the session of such a guest for the browser that presents the code, or only says whose session it would be. */
export async function takeGuestLogin(
  deps: OpeningDeps & ThrottleDeps,
  presented: PresentedForSession,
  { traceId, dueAt, address, userAgent }: Origin,
): Promise<CodeExchange> {
  const code = presented.code.slice(PREFIX.length);
  return exchangeCode(
    deps,
    { ...presented, code },
    {
      find: async (codeHash) => {
        const login = await guestLogins.find(deps.db, codeHash);
        if (login === undefined) return undefined;
        const account = await accounts.findById(deps.db, login.accountId);
        const isAdmitted = account?.role === 'Guest' && allowsEmailLogin(deps.settings, account);
        return { accountId: login.accountId, account, isValid: login.isValid && isAdmitted };
      },
      open: async ({ accountId, account }, codeHash) => {
        if (account === undefined) return undefined;
        const use = async (tx: Transaction): Promise<boolean> => {
          // Read under the lock: the invitation proves the mailbox only, and to nobody but the guest.
          const now = await accounts.findById(tx, accountId);
          const isAdmitted =
            now?.role === 'Guest' && now.passwordScheme === null && !requiresSecondFactor(now);
          return isAdmitted && (await guestLogins.use(tx, codeHash));
        };
        const by = { traceId, dueAt, address, userAgent, authentication: BY_MAIL_CODE };
        const opening = await openSession(deps, account, by, use);
        if (opening.kind === 'exists') return opening;
        return opening.kind === 'opened' ? { accountId, sessionId: opening.sessionId } : undefined;
      },
    },
  );
}
