import assert from 'node:assert/strict';
import { openSession } from '@gatehouse/accounts';
import { newAccount, type TestAccounts } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD, type Account } from '@gatehouse/db';

export type Session = Awaited<ReturnType<typeof openSome>>;

export const origin = { traceId: 'test', dueAt: Infinity, authentication: BY_PASSWORD };

/** Logs in, with a new account unless one is given. */
export async function openSome(app: TestAccounts, given?: Account) {
  const account = given ?? (await accounts.findById(app.db, (await newAccount(app)).id));
  assert.ok(account);
  const opening = await openSession(app, account, origin);
  assert.ok(opening.kind === 'opened');
  return { account, accountId: account.id, sessionId: opening.sessionId, Token: opening.tokens.Token };
}

/** What a process says about the session: `active`, or why it is refused. */
export async function check({ Token }: Session, at: TestAccounts): Promise<string> {
  const found = await at.auth.authenticate(`Bearer ${Token}`);
  return found.kind === 'refused' ? found.code : 'active';
}
