import { hashInvitationToken, type RegistrationJson } from '@gatehouse/auth-core';
import {
  accounts,
  audit,
  inTransaction,
  passkeys as ownPasskeys,
  recoveryCodes,
  webauthnChallenges,
  type Account,
  type Passkey,
  type Transaction,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { byOwner } from '../actor.ts';
import type { LoginDeps, Origin } from '../deps.ts';
import { mailNotice } from '../checks/mailing.ts';
import { newRecoveryCodes } from '../two-factor/second-factor.ts';
import { authenticatorName } from './authenticator-name.ts';
import { PASSKEYS_MAX } from './begin-passkey.ts';

/**
 * The result of adding a passkey; `recoveryCodes` if passkeys are the account's second factor and it had no codes.
 * `failed`: which part was not valid. `known`: this passkey is already stored for an account.
 */
export type PasskeyAddition =
  | { kind: 'added'; passkey: Passkey; recoveryCodes: string[] | undefined }
  | { kind: 'failed'; part: 'token' | 'credential' }
  | { kind: 'off' }
  | { kind: 'full' }
  | { kind: 'known' };

/** Adds the passkey that was created with the options of `beginPasskey`. */
export async function addPasskey(
  deps: LoginDeps,
  made: { accountId: string; token: string; credential: RegistrationJson; name: string | undefined },
  origin: Origin,
): Promise<PasskeyAddition> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const { accountId, credential } = made;
  const tokenHash = hashInvitationToken(made.token);
  const issued = await webauthnChallenges.find(deps.db, tokenHash, 'register');
  if (issued?.accountId !== accountId) return { kind: 'failed', part: 'token' };
  const fresh = await passkeys.verifyRegistration(credential, issued.challenge);
  if (fresh === undefined) return { kind: 'failed', part: 'credential' };
  const name = made.name ?? authenticatorName(fresh.aaguid);
  const addition = await inTransaction(deps.db, origin, async (tx): Promise<PasskeyAddition> => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !(await webauthnChallenges.use(tx, tokenHash, 'register')))
      return { kind: 'failed', part: 'token' };
    if ((await ownPasskeys.count(tx, accountId)) >= PASSKEYS_MAX) return { kind: 'full' };
    const passkey = await ownPasskeys.insert(tx, { ...fresh, id: newId(), accountId, name });
    if (passkey === undefined) return { kind: 'known' };
    await announce(deps, tx, account, passkey, origin);
    return { kind: 'added', passkey, recoveryCodes: await codesIfNeeded(deps, tx, account) };
  });
  deps.relay.wake();
  return addition;
}

async function announce(
  deps: LoginDeps,
  tx: Transaction,
  account: Account,
  { id: PasskeyId }: Passkey,
  origin: Origin,
): Promise<void> {
  const eventData = { UserId: account.id, PasskeyId };
  await mailNotice(deps, tx, account, 'account.passkey-added', eventData, origin);
  await audit.append(tx, [byOwner('passkey.added', account.id, { PasskeyId })], origin);
}

/** An account that must have a second factor, and has no authenticator, needs recovery codes besides its passkeys. */
async function codesIfNeeded(
  deps: LoginDeps,
  tx: Transaction,
  { id, isTwoFactorEnabled, isTwoFactorRequired }: Account,
): Promise<string[] | undefined> {
  if (isTwoFactorEnabled || !isTwoFactorRequired) return undefined;
  return (await recoveryCodes.countLeft(tx, id)) > 0 ? undefined : newRecoveryCodes(deps, tx, id);
}
