import { randomBytes } from 'node:crypto';
import {
  CHALLENGE_SECONDS,
  credentialIdOf,
  hashInvitationToken,
  newInvitationToken,
} from '@gatehouse/auth-core';
import type { AssertionJson, RequestOptionsJson } from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  passkeys as ownPasskeys,
  recoveryCodes,
  twoFactor,
  webauthnChallenges,
} from '@gatehouse/db';
import type { Account, ChallengePurpose, CheckedPasskey, Transaction } from '@gatehouse/db';
import type { AccountsDeps, LoginDeps, NoticeDeps, Origin, PasskeyDeps } from '../deps.ts';
import { takeShare, withAddressThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import { withOwner, type Attempted } from '../checks/credentials.ts';
import { mailNotice } from '../checks/mailing.ts';
import { openSession, type LoginOrigin, type Opening } from '../session/open-and-end.ts';

/** The request for a browser to sign; `off` if passkeys are not available, `none` if the account has none. */
export type PasskeyRequested =
  | { kind: 'asked'; token: string; options: RequestOptionsJson }
  | { kind: 'off' }
  | { kind: 'none' }
  | Throttled;

/** For a login: it reads no account, so it reveals nothing. Each request stores a row, so an address may make few. */
export async function requestAnyPasskey(
  deps: PasskeyDeps & Pick<AccountsDeps, 'passkeyChallenges'>,
  addressGroup: string,
  origin: Origin,
): Promise<Exclude<PasskeyRequested, { kind: 'none' }>> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const throttled = await takeShare(deps.passkeyChallenges, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) => issueChallenge(tx, 'login'));
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, []) };
}

export async function requestOwnPasskey(
  deps: PasskeyDeps & Pick<AccountsDeps, 'passkeyChallenges'>,
  { accountId, addressGroup }: { accountId: string; addressGroup: string },
  origin: Origin,
): Promise<PasskeyRequested> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const [account, known] = await Promise.all([
    accounts.findById(deps.db, accountId),
    ownPasskeys.findKnown(deps.db, accountId),
  ]);
  if (account === undefined || known.length === 0) return { kind: 'none' };
  const throttled = await takeShare(deps.passkeyChallenges, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) =>
    issueChallenge(tx, 'confirm', account),
  );
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, known) };
}

export interface IssuedChallenge {
  token: string;
  challenge: Buffer;
}

/** For one signature; with an account, only its passkeys may sign, and a new password invalidates it. */
export async function issueChallenge(
  tx: Transaction,
  purpose: ChallengePurpose,
  account?: Pick<Account, 'id' | 'passwordVersion'>,
  token = newInvitationToken(),
): Promise<IssuedChallenge> {
  const challenge = randomBytes(32);
  await webauthnChallenges.insert(tx, {
    tokenHash: hashInvitationToken(token),
    purpose,
    accountId: account?.id,
    challenge,
    passwordVersion: account?.passwordVersion,
    lifetimeSeconds: CHALLENGE_SECONDS,
  });
  return { token, challenge };
}

/** A passkey's signature, and the token of the challenge that was signed. */
export interface PresentedAssertion {
  token: string;
  credential: AssertionJson;
}

/**
 * `use` uses up the challenge and stores the counter; `false` if another request did first. `cloned`: the counter of a
 * passkey that is bound to one device has not increased.
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

/** Counters of synced passkeys are not reliable. What it was before this use counts: a copy can claim to be synced. */
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

export type PasskeyLogin =
  | (Exclude<Opening, { kind: 'stale' }> & { accountId: string })
  | ({ kind: 'failed'; isUnknownPasskey: boolean } & Attempted)
  | Throttled;

/** Both factors in one. Counted for the address only: signatures cannot be guessed, nor must owners be locked out. */
export async function loginWithPasskey(
  deps: LoginDeps,
  { addressGroup, ...presented }: PresentedAssertion & { addressGroup: string },
  origin: LoginOrigin,
): Promise<PasskeyLogin> {
  return withAddressThrottle(deps, { addressGroup }, () => takeSignature(deps, presented, origin));
}

async function takeSignature(
  deps: LoginDeps,
  presented: PresentedAssertion,
  origin: LoginOrigin,
): Promise<CheckResult<PasskeyLogin>> {
  const checked = await checkAssertion(deps, 'login', presented, origin);
  if (checked.kind === 'failed') return { counts: 'failed', outcome: checked };
  if (checked.kind === 'cloned') {
    await reportClone(deps, checked, origin);
    return withOwner(FAILED_LOGIN, checked.passkey.accountId);
  }
  const { accountId, passkeyId, use } = checked;
  const account = await accounts.findById(deps.db, accountId);
  // A passkey belongs to a person: somebody who had the account before it became a service account must not get in.
  if (account === undefined || account.isService) return withOwner(FAILED_LOGIN, accountId);
  const by = { ...origin, authentication: { by: ['passkey'], ageSeconds: 0, passkeyId } } as const;
  const opening = await openSession(deps, account, by, use, origin.onOpen);
  if (opening.kind !== 'stale') return { counts: 'succeeded', outcome: { ...opening, accountId } };
  // Another login was faster: with the same signature, or with a copy of the passkey.
  const repeated = await checkAssertion(deps, 'login', presented, origin);
  if (repeated.kind === 'cloned') await reportClone(deps, repeated, origin);
  return withOwner(FAILED_LOGIN, accountId);
}

const FAILED_LOGIN: CheckResult<PasskeyLogin> = {
  counts: 'failed',
  outcome: { kind: 'failed', isUnknownPasskey: false },
};

/** Removes a passkey and unneeded recovery codes, and mails the owner; `false` if there is none. */
export async function deletePasskey(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  id: string,
  origin: Parameters<typeof mailNotice>[5],
): Promise<boolean> {
  if (!(await ownPasskeys.remove(tx, account.id, id))) return false;
  if ((await twoFactor.find(tx, account.id))?.isEnabled !== true)
    await recoveryCodes.deleteUnneeded(tx, account.id);
  await mailNotice(deps, tx, account, 'account.passkey-removed', { PasskeyId: id }, origin);
  return true;
}
