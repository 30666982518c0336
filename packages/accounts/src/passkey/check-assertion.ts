import { credentialIdOf, hashInvitationToken, type AssertionJson } from '@gatehouse/auth-core';
import { accounts, inTransaction, passkeys as ownPasskeys, webauthnChallenges } from '@gatehouse/db';
import type { ChallengePurpose, CheckedPasskey, Transaction } from '@gatehouse/db';
import type { AccountsDeps, NoticeDeps, Origin, PasskeyDeps } from '../deps.ts';
import type { Attempted } from '../checks/credentials.ts';
import { mailNotice } from '../checks/mailing.ts';

/** A passkey's signature, and the token of the challenge that was signed. */
export interface PresentedAssertion {
  token: string;
  credential: AssertionJson;
}

/**
 * The result of checking a signature. `right`: `use` uses up the challenge and stores the passkey's counter, and
 * returns `false` if another request used it first. `cloned`: the counter of a passkey that is bound to one device has
 * not increased.
 */
export type AssertionCheck =
  | { kind: 'right'; accountId: string; passkeyId: string; use: (tx: Transaction) => Promise<boolean> }
  | { kind: 'cloned'; passkey: CheckedPasskey; use: (tx: Transaction) => Promise<boolean> }
  | ({ kind: 'failed'; isUnknownPasskey: boolean } & Attempted);

/** Checks a signature. If the challenge was made for an account, only passkeys of that account are accepted. */
export async function checkAssertion(
  deps: PasskeyDeps & NoticeDeps,
  purpose: ChallengePurpose,
  { token, credential }: PresentedAssertion,
  origin: Origin,
): Promise<AssertionCheck> {
  const { db, passkeys } = deps;
  const credentialId = credentialIdOf(credential);
  const tokenHash = hashInvitationToken(token);
  const issued = passkeys && credentialId && (await webauthnChallenges.find(db, tokenHash, purpose));
  if (passkeys === undefined || credentialId === undefined || issued === undefined) return FAILED;
  const passkey = await ownPasskeys.findByCredentialId(db, credentialId);
  if (passkey === undefined) return { kind: 'failed', isUnknownPasskey: true };
  const { accountId } = passkey;
  if (!isFrom(passkey, credential, issued.accountId)) return { ...FAILED, ownerId: accountId };
  const assertion = await passkeys.verifyAssertion(credential, issued.challenge, passkey);
  if (assertion === undefined) return { ...FAILED, ownerId: accountId };
  const useChallenge = (tx: Transaction) => webauthnChallenges.use(tx, tokenHash, purpose);
  if (isCloned(passkey, assertion.signCount)) return { kind: 'cloned', passkey, use: useChallenge };
  const use = async (tx: Transaction): Promise<boolean> => {
    if (!(await useChallenge(tx)) || !(await ownPasskeys.use(tx, { ...assertion, id: passkey.id })))
      return false;
    if (assertion.isBackupEligible !== passkey.isBackupEligible)
      await reportChange(deps, tx, passkey, origin);
    return true;
  };
  return { kind: 'right', accountId, passkeyId: passkey.id, use };
}

const FAILED = { kind: 'failed', isUnknownPasskey: false } as const;

/**
 * Whether the passkey belongs to the user that the response names (WebAuthn Level 3, §7.2, step 6): a browser that
 * was not given a list of passkeys has to name the user.
 */
function isFrom(
  { accountId, userHandle }: CheckedPasskey,
  { response }: AssertionJson,
  wantedAccountId: string | null,
): boolean {
  const named = response.userHandle ?? undefined;
  if (named !== undefined && named !== userHandle.toString('base64url')) return false;
  return wantedAccountId === null ? named !== undefined : wantedAccountId === accountId;
}

/**
 * Passkeys that are copied between their owner's devices are not checked: their counters are not reliable. What the
 * passkey was before this use counts, because a copy can claim to be such a passkey.
 */
function isCloned({ isBackupEligible, signCount }: CheckedPasskey, signedCount: number): boolean {
  return !isBackupEligible && signedCount <= signCount && !(signedCount === 0 && signCount === 0);
}

/** A passkey of one device can now be copied between devices, or no longer: its owner is told. */
async function reportChange(
  deps: NoticeDeps,
  tx: Transaction,
  { accountId, id: PasskeyId }: CheckedPasskey,
  origin: Origin,
): Promise<void> {
  const account = await accounts.lockById(tx, accountId);
  if (account === undefined) return;
  await mailNotice(deps, tx, account, 'account.passkey-changed', { PasskeyId }, origin);
}

/** Publishes that there is a copy of a passkey, and mails its owner; once for each challenge. */
export async function reportClone(
  deps: NoticeDeps & Pick<AccountsDeps, 'db' | 'relay'>,
  { passkey, use }: Extract<AssertionCheck, { kind: 'cloned' }>,
  origin: Origin,
): Promise<void> {
  const { accountId, id: PasskeyId } = passkey;
  await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !(await use(tx))) return;
    await mailNotice(deps, tx, account, 'passkey.cloned', { PasskeyId }, origin);
  });
  deps.relay.wake();
}
