import { SessionStatus } from '@gatehouse/schema';
import { accounts, audit, clientSessionAdmin, inTransaction, ssoIdentities } from '@gatehouse/db';
import type { By } from '../account/admin/create-account.ts';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { mailNotice } from '../checks/mailing.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** A configured identity provider; several may have the same issuer. */
export interface KnownProvider {
  id: string;
  issuer: string;
}

/** The result of unlinking an identity. */
export type Unlinking = { kind: 'unlinked' } | { kind: 'unknown' };

/**
 * Unlinks an identity from its account, and ends the sessions that were opened with it: those of its issuer's
 * providers, and those of providers that are no longer configured, because their issuer is unknown. A sign-on that has
 * already found the account opens no session, because it checks again after locking the account. The owner gets a mail,
 * without the administrator's address.
 */
export async function unlinkIdentity(
  deps: SessionDeps & NoticeDeps,
  {
    accountId,
    number,
    providers,
  }: { accountId: string; number: number; providers: readonly KnownProvider[] },
  { actor, origin }: By & { origin: Origin },
): Promise<Unlinking> {
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    const removed = await ssoIdentities.remove(tx, accountId, number);
    if (account === undefined || removed === undefined) return undefined;
    const { issuer } = removed;
    const own = providers.find((provider) => provider.issuer === issuer);
    const target = { kind: 'Account', id: accountId } as const;
    const details = own && { Provider: own.id };
    const eventData = { UserId: accountId, ...details };
    const { traceId } = origin;
    await mailNotice(deps, tx, account, 'account.identity-unlinked', eventData, { traceId });
    await audit.append(tx, [{ action: 'sso.unlinked', actor, target, details }], origin);
    // Some applications may have let in who has a group that only this provider named.
    await clientSessionAdmin.removeNotLetIn(tx, { accountIds: [accountId] });
    const exceptProviders = providers.filter((provider) => provider.issuer !== issuer).map(({ id }) => id);
    const changedBy = actor.kind === 'Account' ? actor.id : undefined;
    const change = { status: SessionStatus.Deactivated, reason: 'identity_unlinked', changedBy } as const;
    return endSessions(deps, tx, { kind: 'signed-on', accountId, exceptProviders }, change, origin);
  });
  if (ended === undefined) return { kind: 'unknown' };
  await publishSessions(deps, ended);
  return { kind: 'unlinked' };
}
