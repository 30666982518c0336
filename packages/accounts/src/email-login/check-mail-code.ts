import { hashInvitationToken, readCode } from '@gatehouse/auth-core';
import { accounts, loginCodes, type Account, type Transaction } from '@gatehouse/db';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import { allowsEmailLogin } from '../checks/allows-email-login.ts';
import { withOwner, type Attempted } from '../checks/credentials.ts';
import { withThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import { isPendingWithoutPassword } from '../checks/login-status.ts';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';
import { loginBinding } from './mail-login-code.ts';

/** A mailed code as it was typed, with the secret of the browser that requested it. */
export interface ShownMailCode {
  userName: string;
  code: string;
  requestToken: string;
  addressGroup: string;
}

/**
 * The result of checking a mailed code. `codeId` is the code's; `use` uses it up, and returns `false` if another request
 * used it first, or the account may no longer log in this way. `pending`: the account waits for its owner, and the caller
 * may be told so.
 */
export type MailCodeOutcome =
  | { kind: 'right'; account: Account; codeId: string; use: (tx: Transaction) => Promise<boolean> }
  | ({ kind: 'failed' } & Attempted)
  | Throttled;

type Deps = ThrottleDeps & Pick<AccountsDeps, 'codes'>;

/** The usual time for counting a try and comparing the code: emails without an account take as long. */
const CHECK_MS = 30;

/**
 * Checks a mailed code. Failures count only for the client's address, like those of other mailed codes: a stranger must
 * not be able to lock out an owner who has no other way in, and a code does not end a wait that wrong passwords began. An
 * unknown email, and a code of another request, have the same result as a wrong code.
 */
export async function checkMailCode(deps: Deps, shown: ShownMailCode): Promise<MailCodeOutcome> {
  const symbols = readCode(shown.code);
  if (symbols === undefined) return { kind: 'failed' };
  const { addressGroup } = shown;
  const counted = { by: 'address', addressGroup } as const;
  const checking = withThrottle(deps, counted, () => checkCounted(deps, shown, symbols));
  return (await withMinimumDuration(CHECK_MS, checking)).outcome;
}

async function checkCounted(
  deps: Deps,
  { userName, requestToken }: ShownMailCode,
  symbols: string,
): Promise<CheckResult<MailCodeOutcome>> {
  const key = emailKey(normalizeEmail(userName) ?? '');
  const found = await accounts.findByEmailKey(deps.db, key);
  // Nobody who waits for their owner gets a code, so none says that they wait, or as what.
  const isUsable = found !== undefined && allowsEmailLogin(deps.settings, found);
  const account = isUsable && !isPendingWithoutPassword(found) ? found : undefined;
  const accountId = account?.id ?? NOBODY;
  const requestHash = hashInvitationToken(requestToken);
  const kept = await loginCodes.takeTry(deps.db, { accountId, requestHash });
  const hash = deps.codes.hash(loginBinding({ id: accountId, emailKey: key }), symbols);
  if (account === undefined || kept === undefined || !deps.codes.equal(kept.hash, hash))
    return withOwner({ counts: 'failed', outcome: { kind: 'failed' } }, found?.id);
  const use = async (tx: Transaction): Promise<boolean> => {
    const now = await accounts.findById(tx, accountId);
    return (
      now !== undefined &&
      allowsEmailLogin(deps.settings, now) &&
      (await loginCodes.use(tx, accountId, kept.id))
    );
  };
  return { counts: 'succeeded', outcome: { kind: 'right', account, codeId: kept.id, use } };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
