import { audit, inTransaction, passkeys, type Passkey } from '@gatehouse/db';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, Origin } from '../deps.ts';

/** Renames one of the owner's passkeys; `undefined` if they have no such passkey. */
export async function renamePasskey(
  deps: Pick<AccountsDeps, 'db'>,
  which: { accountId: string; id: string; name: string },
  origin: Origin,
): Promise<Passkey | undefined> {
  return inTransaction(deps.db, origin, async (tx) => {
    const passkey = await passkeys.rename(tx, which);
    if (passkey !== undefined)
      await audit.append(tx, [byOwner('passkey.renamed', which.accountId, { PasskeyId: which.id })], origin);
    return passkey;
  });
}
