import { inTransaction, ssoAttempts, type Db } from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';

/** Uses up a sign-on under way, so that one answer of the provider is taken; `false` when it was used or is over. */
export async function useSsoAttempt(
  { db }: { db: Db },
  attempt: { digest: Buffer; expiresAtSeconds: number },
  deadline: Deadline,
): Promise<boolean> {
  return inTransaction(db, deadline, (tx) => ssoAttempts.use(tx, attempt));
}
