import type { ClientTokens } from '@gatehouse/auth-core';
import { inTransaction, logouts } from '@gatehouse/db';
import { NO_DEADLINE, startWakeableLoop, type Lifecycle } from '@gatehouse/runtime';
import type { AccountsDeps } from '../../deps.ts';

const BATCH = 50;
const POLL_MS = 10_000;

type Deps = Pick<AccountsDeps, 'db' | 'log' | 'work' | 'settings'> & { clientTokens: ClientTokens };

/**
 * Starts to sign what tells applications that a session has ended, until the service stops. The end of the session has
 * recorded whom to tell; the hook worker, which holds no signing key, sends it. A token that expires before it arrives is
 * signed anew, as long as access tokens of the session may be valid.
 */
export function startSigningLogouts(deps: Deps, lifecycle: Lifecycle): void {
  const loop = startWakeableLoop(POLL_MS, async () => {
    const count = await signLogouts(deps).catch((error: unknown) => {
      deps.log.warn('failed to sign logout tokens, retrying', { error });
      return 0;
    });
    return count === BATCH;
  });
  deps.work.on('hook_delivery', () => loop.wake());
  lifecycle.onStop(() => loop.stop());
}

/** Signs a batch of those that are due; returns how many. */
export async function signLogouts({
  db,
  clientTokens,
  settings,
}: Omit<Deps, 'work' | 'log'>): Promise<number> {
  const tokenSeconds = settings.ACCESS_TOKEN_SECONDS;
  return await inTransaction(db, NO_DEADLINE, async (tx) => {
    const due = await logouts.lockUnsigned(tx, { max: BATCH, tokenSeconds });
    if (due.length === 0) return 0;
    const signed = due.map(async (logout) => ({
      id: logout.id,
      ...(await clientTokens.signLogoutToken(logout)),
    }));
    await logouts.setTokens(tx, await Promise.all(signed), { tokenSeconds });
    return due.length;
  });
}
