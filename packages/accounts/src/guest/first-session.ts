import { hashInvitationToken, newInvitationToken, type BrowserSession } from '@gatehouse/auth-core';
import { accounts, BY_MAIL_CODE, guestLogins, type Transaction } from '@gatehouse/db';
import { allowsEmailLogin } from '../checks/allows-email-login.ts';
import { requiresSecondFactor } from '../checks/login-status.ts';
import type { OpeningDeps, Origin, ThrottleDeps } from '../deps.ts';
import {
  CODE_SECONDS,
  EXPIRED_CHECK,
  exchangeThrottled,
  FAILED_CHECK,
  isElsewhere,
  type ShownCode,
} from '../handover/exchange-code.ts';
import type { HandoverResult } from '../handover/hand-over.ts';
import { openSession, type SessionExists } from '../session/sessions.ts';

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

/** Opens the session of such a guest for the browser that shows the code, or only says whose session it would be. */
export async function takeGuestLogin(
  deps: OpeningDeps & ThrottleDeps,
  {
    isPreview = false,
    present,
    ...shown
  }: ShownCode & {
    isPreview?: boolean | undefined;
    /** The browser's current session, if it must be kept. */
    present: BrowserSession | undefined;
  },
  { traceId, dueAt, address, userAgent }: Origin,
): Promise<HandoverResult | SessionExists> {
  const code = shown.code.slice(PREFIX.length);
  return exchangeThrottled<HandoverResult | SessionExists>(deps, { ...shown, code }, async (codeHash) => {
    const login = await guestLogins.find(deps.db, codeHash);
    if (login === undefined) return FAILED_CHECK;
    const { accountId, isLiving } = login;
    const account = await accounts.findById(deps.db, accountId);
    if (!isLiving || account?.role !== 'Guest' || !allowsEmailLogin(deps.settings, account))
      return EXPIRED_CHECK;
    if (await isElsewhere(deps, present, accountId))
      return { counts: 'aborted', outcome: { kind: 'elsewhere' } };
    if (isPreview) return { counts: 'aborted', outcome: { kind: 'previewed', email: account.email } };
    const use = async (tx: Transaction): Promise<boolean> => {
      // Read under the lock: the invitation proves the mailbox only, and to nobody but the guest.
      const now = await accounts.findById(tx, accountId);
      const isAdmitted = now?.role === 'Guest' && now.passwordScheme === null && !requiresSecondFactor(now);
      return isAdmitted && (await guestLogins.use(tx, codeHash));
    };
    const by = { traceId, dueAt, address, userAgent, authentication: BY_MAIL_CODE };
    const opening = await openSession(deps, account, by, use);
    if (opening.kind === 'exists') return { counts: 'succeeded', outcome: opening };
    if (opening.kind !== 'opened') return EXPIRED_CHECK;
    return {
      counts: 'succeeded',
      outcome: { kind: 'taken', accountId, sessionId: opening.sessionId },
    };
  });
}
