import { byOwner, mailCode, mailNotice, withholdCode, type ProvedAccount } from '@gatehouse/accounts';
import {
  accounts,
  audit,
  inTransaction,
  mailQuota,
  passwordProofs,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { withMinimumDuration, type Refuse, type RequestFacts } from '@gatehouse/http';
import { Email, emailKey, normalizeEmail, Password, Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { provePassword } from './own-password.ts';

export const changeEmail = route({
  method: 'post',
  path: '/account/change-email',
  operationId: 'changeEmail',
  tag: 'Account',
  summary: 'Request a change of email address',
  description:
    'Sends a code to the new address; nothing changes until it is confirmed. The response and its timing are the ' +
    'same if the address already has an account, whose owner is then notified. A wrong password counts as a ' +
    'failed login.',
  access: 'session',
  body: Type.Object({ Email: Email(), Password: Password() }),
  response: Type.Object({}),
  errors: ['wrong_password', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const proved = await provePassword(deps, caller.accountId, body.Password, request, refuse);
    await withMinimumDuration(100, requestChange(deps, proved, email, request, refuse));
    return {};
  },
});

/**
 * The caller, who reads the mails to the present address and may hold an older code, finds no difference between
 * a free address and a taken one: shares of mails, notices and voided codes are the same.
 */
async function requestChange(
  deps: Deps,
  { account: checked, proof }: ProvedAccount,
  email: string,
  request: RequestFacts,
  refuse: Refuse<'wrong_password'>,
): Promise<void> {
  const owner = await accounts.findByEmailKey(deps.db, emailKey(email));
  const isTaken = owner !== undefined && owner.id !== checked.id;

  await inTransaction(deps.db, request, async (tx) => {
    const account = await accounts.lockById(tx, checked.id);
    if (account?.passwordVersion !== checked.passwordVersion) throw refuse('wrong_password');
    const isBegun = await beginChange(deps, tx, { account, proof, email, isTaken }, request, refuse);
    if (isBegun) await audit.append(tx, [byOwner('email.change-requested', account.id)], request);
    await mailNotice(deps, tx, account, 'account.email-change-announced', { UserId: account.id }, request);
  });
  if (isTaken) await noticeOwner(deps, owner.id, request);
  deps.relay.wake();
}

/** `false` where the account or the address has had its share of mails: an earlier code stays as it is. */
async function beginChange(
  deps: Deps,
  tx: Transaction,
  wish: { account: Account; proof: string; email: string; isTaken: boolean },
  request: RequestFacts,
  refuse: Refuse<'wrong_password'>,
): Promise<boolean> {
  const { account, proof, email, isTaken } = wish;
  const { MAILS_PER_HOUR } = deps.settings;
  const key = emailKey(email);
  if (!(await mailQuota.takeForAddress(tx, key, 'email-change-code', MAILS_PER_HOUR))) return false;
  if (isTaken) return withholdCode(deps, tx, account, 'change-email');
  if (!(await mailCode(deps, tx, { ...account, email }, 'change-email', request))) return false;
  const isProved = await passwordProofs.beginEmailChange(tx, account.id, { proof, email, emailKey: key });
  if (!isProved) throw refuse('wrong_password');
  return true;
}

/** In a transaction of its own: two accounts locked at once could wait for each other. */
async function noticeOwner(deps: Deps, ownerId: string, request: RequestFacts): Promise<void> {
  const { traceId } = request;
  await inTransaction(deps.db, request, async (tx) => {
    const owner = await accounts.lockById(tx, ownerId);
    if (owner === undefined) return;
    await mailNotice(deps, tx, owner, 'account.email-claimed', { UserId: owner.id }, { traceId });
  });
}
