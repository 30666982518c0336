import { newCode, readCode } from '@gatehouse/auth-core';
import { loginCodes, outbox, type KeyedAccount, type Transaction } from '@gatehouse/db';
import { newMailEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import { allowsEmailLogin } from '../checks/allows-email-login.ts';
import { isPendingWithoutPassword } from '../checks/login-status.ts';
import { recipientOf, shareOf, sourceOf, takeCodeMail } from '../checks/mailing.ts';
import type { MailDeps, OriginFacts } from '../deps.ts';

const LIFETIME_SECONDS = 600;

/** What the hash of a code with which to log in is bound to. */
export function loginBinding({ id, emailKey }: Pick<KeyedAccount, 'id' | 'emailKey'>) {
  return { purpose: 'login', accountId: id, email: emailKey };
}

/**
 * Mails an account a code with which to log in, for one request. Codes live side by side, each for its own request:
 * otherwise a stranger who asks in the owner's name would void the code that the owner is about to type. A request
 * beyond the limit of mails uses the newest code that lives; but if it is from an address that the account was not used
 * from, never one that was asked for from a known address. The account must be locked by the transaction.
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
  const hasLiving = () => loginCodes.hasLiving(tx, accountId, isKnown);
  if (!(await takeCodeMail(deps, tx, account, { kind: 'login-code', share, hasLiving })))
    return loginCodes.addRequest(tx, accountId, { requestHash, isKnown });
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
