import { inTransaction, ssoAttempts, type Db } from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';

/**
 * Uses up a sign-on in progress, so that only one answer of the provider is accepted; `false` if it was used or has
 * expired.
 */
export async function useSsoAttempt(
  { db }: { db: Db },
  attempt: { digest: Buffer; expiresAtSeconds: number },
  deadline: Deadline,
): Promise<boolean> {
  return inTransaction(db, deadline, (tx) => ssoAttempts.use(tx, attempt));
}
