import { conditionOf, describePasswordFault, mailCode, mailNotice, takeMailShare } from '@gatehouse/accounts';
import { LoginStatus } from '@gatehouse/auth-core';
import { accounts, inTransaction, outbox, type Account, type Executor } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { addressGroup, inEvenTime, tooManyMails, unfitPassword, type RequestFacts } from '@gatehouse/http';
import {
  DisplayName,
  Email,
  emailKey,
  Integers,
  Locale,
  normalizeEmail,
  Password,
  Type,
} from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { route, type Deps } from '../deps.ts';

/** An account waits for its owner: for the code, or for a registration that completes it. */
const COMPLETABLE: readonly (LoginStatus | undefined)[] = [
  LoginStatus.IsPendingEmailConfirmation,
  LoginStatus.IsPendingNewAccountSignup,
  LoginStatus.IsPendingAccountMigrationSignup,
];

export const register = route({
  method: 'post',
  path: '/account/register',
  summary: 'Create an account, or complete one that waits for its owner',
  description:
    'The answer is the same whether or not the email has an account; a mail tells its owner the rest.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Password: Password(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({ LoginStatus: Integers(LoginStatus) }),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const fault = describePasswordFault(deps, body.Password, email);
    if (fault !== undefined) throw unfitPassword(fault);
    const limited = await takeMailShare(deps, addressGroup(request.address));
    if (limited !== undefined) throw tooManyMails(limited);
    const given = {
      email,
      displayName: body.DisplayName,
      locale: body.Locale,
      passwordHash: await deps.passwords.hash(body.Password),
    };
    // To write an account takes longer than to find one.
    await inEvenTime(60, writeDown(deps, given, request));
    deps.relay.wake();
    return { LoginStatus: LoginStatus.IsPendingEmailConfirmation };
  },
});

function writeDown(deps: Deps, given: Given, request: RequestFacts): Promise<void> {
  return inTransaction(deps.db, async (tx) => {
    const existing =
      (await accounts.lockByEmailKey(tx, emailKey(given.email))) ??
      (await insertAccount(deps, tx, given, request));
    if (existing !== undefined) await registerAgain(deps, tx, existing, given, request);
  });
}

interface Given {
  email: string;
  displayName: string | undefined;
  locale: string | undefined;
  passwordHash: string;
}

/** Makes the account; when another request was faster, returns that one's account. */
async function insertAccount(
  deps: Deps,
  tx: Executor,
  given: Given,
  request: RequestFacts,
): Promise<Account | undefined> {
  const key = emailKey(given.email);
  const account = {
    ...given,
    id: newId(),
    locale: given.locale ?? 'en',
    displayName: given.displayName ?? null,
  };
  const isNew = await accounts.insert(tx, {
    ...account,
    emailKey: key,
    displayName: given.displayName,
    role: 'User',
    signup: 'complete',
    isEmailVerified: false,
  });
  if (!isNew) return accounts.lockByEmailKey(tx, key);
  await outbox.add(tx, [newEvent('account.registered', { UserId: account.id }, request)]);
  await mailCode(deps, tx, account, 'verify', request);
  return undefined;
}

async function registerAgain(
  deps: Deps,
  tx: Executor,
  account: Account,
  given: Given,
  request: RequestFacts,
): Promise<void> {
  if (!COMPLETABLE.includes(conditionOf(account))) {
    await mailNotice(deps, tx, account, 'account.registration-repeated', { UserId: account.id }, request);
    return;
  }
  // A password comes with a code of its own: with the older code, somebody else's password would be confirmed.
  if (await mailCode(deps, tx, account, 'verify', request)) {
    await accounts.updateForRegistration(tx, account.id, given);
  }
}
