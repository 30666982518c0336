import { SessionStatus } from '@gatehouse/schema';
import { accounts, audit, inTransaction, ssoIdentities } from '@gatehouse/db';
import type { By } from '../account-admin/create-account.ts';
import type { Origin, SessionDeps } from '../deps.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** A provider as an installation is configured for it; several may be of one issuer. */
export interface KnownProvider {
  id: string;
  issuer: string;
}

/** What became of untying an identity. */
export type Unlinking = { kind: 'unlinked' } | { kind: 'unknown' };

/**
 * Unties an identity from its account, and ends what sessions were opened by it: those of its issuer's providers, and
 * of providers that are configured no more, as nobody can tell whose those were. A sign-on that has found the account
 * by now opens no session, as it looks again under the account's lock.
 */
export async function unlinkIdentity(
  deps: SessionDeps,
  {
    accountId,
    number,
    providers,
  }: { accountId: string; number: number; providers: readonly KnownProvider[] },
  { actor, origin }: By & { origin: Origin },
): Promise<Unlinking> {
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    await accounts.lockById(tx, accountId);
    const issuer = await ssoIdentities.remove(tx, accountId, number);
    if (issuer === undefined) return undefined;
    const own = providers.find((provider) => provider.issuer === issuer);
    const target = { kind: 'Account', id: accountId } as const;
    const details = own && { Provider: own.id };
    await audit.append(tx, [{ action: 'sso.unlinked', actor, target, details }], origin);
    const exceptProviders = providers.filter((provider) => provider.issuer !== issuer).map(({ id }) => id);
    const changedBy = actor.kind === 'Account' ? actor.id : undefined;
    const change = { status: SessionStatus.Deactivated, reason: 'identity_unlinked', changedBy };
    return endSessions(deps, tx, { kind: 'signed-on', accountId, exceptProviders }, change, origin);
  });
  if (ended === undefined) return { kind: 'unknown' };
  await publishSessions(deps, ended);
  return { kind: 'unlinked' };
}
