import { hashInvitationToken } from '@gatehouse/auth-core';
import { accounts, audit, identityLinks, inTransaction, ssoIdentities } from '@gatehouse/db';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, NoticeDeps, Origin } from '../deps.ts';
import { conditionOf } from '../checks/login-status.ts';
import { withDevice } from '../checks/with-device.ts';
import { mailNotice } from '../checks/mailing.ts';

const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * The result of linking. `failed`: the code is not valid for this session. `taken`: the identity is linked to another
 * account. `occupied`: the account is linked to another identity of the same issuer.
 */
export type IdentityLinking =
  { kind: 'linked'; provider: string } | { kind: 'failed' } | { kind: 'taken' } | { kind: 'occupied' };

/**
 * Links the identity that a sign-on has proved to the account of the session that began it. The owner gets a mail,
 * because the identity gives access to the account from then on.
 */
export async function linkIdentity(
  deps: NoticeDeps & Pick<AccountsDeps, 'db' | 'relay'>,
  shown: { accountId: string; sessionId: string; code: string },
  origin: Origin,
): Promise<IdentityLinking> {
  const { accountId, sessionId, code } = shown;
  if (!CODE_FORM.test(code)) return { kind: 'failed' };
  const codeHash = hashInvitationToken(code);
  const linking = await inTransaction<IdentityLinking>(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    const proved = await identityLinks.use(tx, { codeHash, accountId, sessionId });
    if (account === undefined || proved === undefined) return { kind: 'failed' };
    // The account may have become a guest's or a service account while its owner was at the provider.
    const isForPeople = account.role !== 'Guest' && !account.isService;
    if (!isForPeople || conditionOf(account) !== undefined) return { kind: 'failed' };
    const { provider } = proved;
    if (await ssoIdentities.insert(tx, proved, accountId)) {
      const eventData = { UserId: accountId, Provider: provider };
      await mailNotice(deps, tx, account, 'account.identity-linked', eventData, withDevice(origin));
      await audit.append(tx, [byOwner('sso.linked', accountId, { Provider: provider })], origin);
      return { kind: 'linked', provider };
    }
    const owner = await ssoIdentities.findAccount(tx, proved);
    if (owner === undefined) return { kind: 'occupied' };
    return owner.id === accountId ? { kind: 'linked', provider } : { kind: 'taken' };
  });
  deps.relay.wake();
  return linking;
}
