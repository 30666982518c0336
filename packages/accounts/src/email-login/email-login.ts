import { hashInvitationToken, newCode, readCode } from '@gatehouse/auth-core';
import { accountCodes, accounts, loginCodes, outbox } from '@gatehouse/db';
import type { Account, KeyedAccount, Transaction } from '@gatehouse/db';
import { newEvent, newMailEvent } from '@gatehouse/events';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { accountUpdated, differingNames } from '../account/admin/account-updated.ts';
import { allowsEmailLogin, isPendingWithoutPassword, isVerifiable } from '../checks/login-status.ts';
import { FAILED_CHECK, withAddressThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import { NOBODY } from '../checks/code-check.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import { withOwner, type Attempted } from '../checks/credentials.ts';
import { recipientOf, shareOf, sourceOf, takeCodeMail } from '../checks/mailing.ts';
import type { AccountsDeps, MailDeps, Origin, OriginFacts, SessionDeps, ThrottleDeps } from '../deps.ts';
import { asOwner, write } from '../session/write.ts';

const LIFETIME_SECONDS = 600;

function loginBinding(account: Pick<KeyedAccount, 'id' | 'emailKey'>) {
  return { purpose: 'login', accountId: account.id, email: account.emailKey };
}

/**
 * Mails a locked account a code to log in, for one request. Codes live side by side: otherwise a stranger who asks
 * would void the one that the owner is about to type. A request beyond the limit of mails uses the newest active code,
 * but from an unknown address never one that was asked for from a known one.
 */
export async function mailLoginCode(
  deps: MailDeps,
  tx: Transaction,
  account: KeyedAccount,
  { requestHash, ...origin }: OriginFacts & { requestHash: Buffer },
): Promise<void> {
  // An account that waits for its owner is completed by another mail, and its login says so.
  if (!allowsEmailLogin(deps.settings, account) || isPendingWithoutPassword(account)) return;
  const { id: accountId } = account;
  const share = await shareOf(tx, accountId, 'own', origin);
  const isKnown = share === 'known';
  const hasActive = () => loginCodes.hasActive(tx, { accountId, isKnown });
  if (!(await takeCodeMail(deps, tx, account, { kind: 'login-code', share, hasActive })))
    return loginCodes.addRequest(tx, { accountId, requestHash, isKnown });
  const [id, code] = [newId(), newCode()];
  const expiresAt = await loginCodes.insert(tx, {
    id,
    accountId,
    hash: deps.codes.hash(loginBinding(account), readCode(code) ?? ''),
    lifetimeSeconds: LIFETIME_SECONDS,
    requestHash,
    isKnown,
  });
  const content = {
    ...recipientOf(account),
    ...sourceOf(origin),
    Code: code,
    CodeId: id,
    CodeExpiresAt: expiresAt.toISOString(),
  };
  const data = { UserId: accountId };
  await outbox.add(tx, [newMailEvent(deps.seal, 'account.login-code-requested', data, content, origin)]);
}

/** A mailed code as it was typed, with the secret of the browser that requested it. */
export interface SubmittedMailCode {
  userName: string;
  code: string;
  requestToken: string;
  addressGroup: string;
}

/**
 * `use` uses the code up; `false` if another request did first, or the account may no longer log in this way.
 * `pending`: the account waits for its owner, and the caller may be told so.
 */
export type MailCodeOutcome =
  | { kind: 'right'; account: Account; codeId: string; use: (tx: Transaction) => Promise<boolean> }
  | ({ kind: 'failed' } & Attempted)
  | Throttled;

type CheckDeps = ThrottleDeps & Pick<AccountsDeps, 'codes'>;

/** The usual time for counting a try and comparing the code: emails without an account take as long. */
const CHECK_MS = 30;

/**
 * Failures count only for the client's address: a stranger must not lock out an owner who has no other way in. A right
 * code does not end a wait that wrong passwords began. An unknown email, and another request's code, are like a wrong
 * code.
 */
export async function checkMailCode(deps: CheckDeps, submitted: SubmittedMailCode): Promise<MailCodeOutcome> {
  const symbols = readCode(submitted.code);
  if (symbols === undefined) return { kind: 'failed' };
  const { addressGroup } = submitted;
  const checking = withAddressThrottle(deps, { addressGroup }, () => checkCounted(deps, submitted, symbols));
  return withMinimumDuration(CHECK_MS, checking);
}

async function checkCounted(
  deps: CheckDeps,
  { userName, requestToken }: SubmittedMailCode,
  symbols: string,
): Promise<CheckResult<MailCodeOutcome>> {
  const key = emailKey(normalizeEmail(userName) ?? '');
  const found = await accounts.findByEmailKey(deps.db, key);
  // Nobody who waits for their owner gets a code, so none says that they wait, or as what.
  const isUsable = found !== undefined && allowsEmailLogin(deps.settings, found);
  const account = isUsable && !isPendingWithoutPassword(found) ? found : undefined;
  const accountId = account?.id ?? NOBODY;
  const requestHash = hashInvitationToken(requestToken);
  const stored = await loginCodes.takeTry(deps.db, { accountId, requestHash });
  const hash = deps.codes.hash(loginBinding({ id: accountId, emailKey: key }), symbols);
  if (account === undefined || stored === undefined || !deps.codes.equal(stored.hash, hash))
    return withOwner<MailCodeOutcome>(FAILED_CHECK, found?.id);
  const use = async (tx: Transaction): Promise<boolean> => {
    const now = await accounts.findById(tx, accountId);
    return (
      now !== undefined &&
      allowsEmailLogin(deps.settings, now) &&
      (await loginCodes.use(tx, accountId, stored.id))
    );
  };
  return { counts: 'succeeded', outcome: { kind: 'right', account, codeId: stored.id, use } };
}

/**
 * Verifies an email that alone is missing, as a mailed code was right; returns the account as it is now. What was
 * registered is discarded, the password above all: a stranger may have chosen it. A contested registration stays.
 */
export async function settleEmail(
  deps: SessionDeps,
  found: Account,
  codeId: string,
  origin: Origin,
): Promise<Account | undefined> {
  if (!isSettled(found)) return found;
  return write(deps, asOwner(found.id, origin), async (tx) => {
    const account = await accounts.lockById(tx, found.id);
    if (account === undefined || !isSettled(account) || !(await loginCodes.isActive(tx, codeId)))
      return account;
    countOnCommit(deps, tx, 'verification');
    await accounts.discardRegistration(tx, account.id);
    await accounts.markEmailVerified(tx, account.id);
    // Used later, they would discard what the owner has set since.
    await accountCodes.deleteVerifying(tx, account.id);
    const after = await accounts.findById(tx, account.id);
    const changed = after === undefined ? [] : differingNames(account, after);
    tx.event(newEvent('account.verified', { UserId: account.id }, origin));
    tx.event(...accountUpdated(account.id, changed, { changedBy: account.id, origin }));
    tx.audit('account.verified', { Contested: true });
    return after;
  });
}

function isSettled(account: Account): boolean {
  return isVerifiable(account) && !account.isContested;
}
