import {
  accounts,
  audit,
  clientSessionAdmin,
  inTransaction,
  passkeys as ownPasskeys,
  ssoIdentities,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import { byOwner } from '../actor.ts';
import type { LoginDeps, Origin } from '../deps.ts';
import { allowsEmailLogin } from '../checks/allows-email-login.ts';
import { canSignOn } from '../checks/can-sign-on.ts';
import { withDevice } from '../checks/with-device.ts';
import { mailNotice } from '../checks/mailing.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from '../passkey/prove-owner.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** The result of unlinking; `only_way`: without this identity, the owner could no longer log in. */
export type OwnUnlinking =
  { kind: 'unlinked' } | { kind: 'unknown' } | { kind: 'only_way' } | Exclude<OwnerProof, { kind: 'proved' }>;

/**
 * Unlinks an identity from the owner's account, unless it is the only way to log in. Sessions opened by sign-ons end,
 * except those of identities that stay linked and the session of this request.
 *
 * @param shows `providers`: the identity providers that the installation offers.
 */
export async function unlinkOwnIdentity(
  deps: LoginDeps,
  shows: OwnerProofInput & { number: number; providers: readonly string[] },
  origin: Origin,
): Promise<OwnUnlinking> {
  const { accountId, sessionId, number, providers } = shows;
  const own = await ssoIdentities.findOfAccount(deps.db, accountId);
  if (!own.some((identity) => identity.number === number)) return { kind: 'unknown' };
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  let ended: string[] = [];
  const outcome = await inTransaction<OwnUnlinking>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account?.passwordVersion !== proof.account.passwordVersion) return { kind: 'unproven' };
    const removed = await ssoIdentities.remove(tx, accountId, number);
    if (removed === undefined) return { kind: 'unknown' };
    if (!(await hasOtherMethod(deps, tx, account, providers))) return rollBack({ kind: 'only_way' });
    if (!(await proof.use(tx))) return rollBack({ kind: 'unproven' });
    const details = { Provider: removed.provider };
    const eventData = { UserId: accountId, ...details };
    await mailNotice(deps, tx, account, 'account.identity-unlinked', eventData, withDevice(origin));
    await audit.append(tx, [byOwner('sso.unlinked', accountId, details)], origin);
    // Some applications may have let in who has a group that only this provider named.
    await clientSessionAdmin.removeNotLetIn(tx, { accountIds: [accountId] });
    const left = await ssoIdentities.findOfAccount(tx, accountId);
    const exceptProviders = left.map(({ provider }) => provider);
    const target = { kind: 'signed-on', accountId, exceptProviders, exceptSessionId: sessionId } as const;
    const change = {
      status: SessionStatus.Deactivated,
      reason: 'identity_unlinked',
      changedBy: accountId,
    } as const;
    ended = await endSessions(deps, tx, target, change, origin);
    return { kind: 'unlinked' };
  });
  if (outcome.kind === 'unlinked') await publishSessions(deps, ended);
  return outcome;
}

/** Whether the owner could still log in. */
async function hasOtherMethod(
  { passkeys, settings }: Pick<LoginDeps, 'passkeys' | 'settings'>,
  tx: Transaction,
  account: Account,
  providers: readonly string[],
): Promise<boolean> {
  if (account.passwordScheme !== null || allowsEmailLogin(settings, account)) return true;
  if (await canSignOn(tx, account, providers)) return true;
  return passkeys !== undefined && (await ownPasskeys.count(tx, account.id)) > 0;
}
