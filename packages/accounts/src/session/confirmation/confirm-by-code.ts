import { accounts, inTransaction, sessionCodes, sessionConfirmations } from '@gatehouse/db';
import type { Origin, ThrottleDeps } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { requiresSecondFactor } from '../../checks/login-status.ts';
import {
  FAILED_CHECK,
  EXPIRED_CHECK,
  exchangeThrottled,
  type PresentedCode,
} from '../../handover/session-code.ts';
import type { PresentedSession } from './proves-freshly.ts';

/** The result of a confirmation with a code. */
type CodeConfirmation = { kind: 'confirmed' } | { kind: 'failed' } | Throttled;

/**
 * Uses up the code of a new sign-on, and records for a session that its owner has just proved their identity, as
 * `confirmSession` does for a password. The code is valid only in sessions of the account that was signed on to.
 */
export async function confirmByCode(
  deps: ThrottleDeps,
  { session, ...presented }: PresentedCode & { session: PresentedSession & { accountId: string } },
  origin: Origin,
): Promise<CodeConfirmation> {
  return exchangeThrottled<CodeConfirmation>(deps, presented, async (codeHash) => {
    const code = await sessionCodes.findForConsole(deps.db, codeHash, 'confirmation');
    if (code === undefined) return FAILED_CHECK;
    if (code.accountId !== session.accountId) return EXPIRED_CHECK;
    const isConfirmed = await inTransaction(deps.db, origin, async (tx) => {
      if (!(await sessionCodes.use(tx, 'console_code', codeHash))) return false;
      const { accountId, sessionId, credential } = session;
      const account = await accounts.findById(tx, accountId);
      // If a second factor is required, only a sign-on at a provider that is trusted with it makes a code.
      const isBoth = account !== undefined && requiresSecondFactor(account);
      const by = isBoth ? (['sign-on', 'second-factor'] as const) : (['sign-on'] as const);
      await sessionConfirmations.record(tx, { sessionId, credential, purpose: 'action' }, by);
      return true;
    });
    return isConfirmed ? { counts: 'succeeded', outcome: { kind: 'confirmed' } } : EXPIRED_CHECK;
  });
}
