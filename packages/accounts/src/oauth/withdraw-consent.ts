import { accounts, audit, inTransaction, oauthConsents } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';

/**
 * Takes back what a person has allowed an application, and signs them out of it in all their sessions. Its tokens stop
 * working at once, and it is told. `false` if there was nothing to take back.
 */
export async function withdrawConsent(
  deps: Pick<AccountsDeps, 'db'>,
  consent: { accountId: string; clientId: string },
  origin: Origin,
): Promise<boolean> {
  return inTransaction(deps.db, origin, async (tx) => {
    // A sign-in in progress holds this lock: it is removed, too.
    await accounts.lockById(tx, consent.accountId);
    if (!(await oauthConsents.withdraw(tx, consent))) return false;
    const actor = { kind: 'Account', id: consent.accountId } as const;
    const target = { kind: 'OauthClient', id: consent.clientId } as const;
    await audit.append(tx, [{ action: 'consent.withdrawn', actor, target }], origin);
    return true;
  });
}
