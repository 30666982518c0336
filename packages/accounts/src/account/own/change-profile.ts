import { accounts, audit, inTransaction, outbox, profiles, type Profile } from '@gatehouse/db';
import { byOwner } from '../../actor.ts';
import type { AccountsDeps, Origin } from '../../deps.ts';
import { accountUpdated, differingNames } from '../admin/account-updated.ts';

/** Changes an owner's own data; omitted fields stay as they are. `undefined` if the account no longer exists. */
export async function changeProfile(
  deps: Pick<AccountsDeps, 'db' | 'relay'>,
  accountId: string,
  given: { displayName: string | undefined; locale: string | undefined },
  origin: Origin,
): Promise<Profile | undefined> {
  const profile = await inTransaction(deps.db, origin, async (tx) => {
    const before = await accounts.lockById(tx, accountId);
    const after = await profiles.update(tx, accountId, given);
    if (before === undefined || after === undefined) return undefined;
    const changed = differingNames(before, after);
    if (changed.length === 0) return after;
    await audit.append(tx, [byOwner('profile.changed', accountId, { Changed: changed })], origin);
    await outbox.add(tx, accountUpdated(accountId, changed, { changedBy: accountId, origin }));
    return after;
  });
  deps.relay.wake();
  return profile;
}
