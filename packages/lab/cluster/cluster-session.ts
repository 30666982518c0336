import assert from 'node:assert/strict';
import { openSession } from '@gatehouse/accounts';
import { newAccount, type TestAccounts } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD } from '@gatehouse/db';

export type Session = Awaited<ReturnType<typeof openSome>>;

export const origin = { traceId: 'test', dueAt: Infinity, authentication: BY_PASSWORD };

/** Logs in a new account. */
export async function openSome(app: TestAccounts) {
  const { id } = await newAccount(app);
  const account = await accounts.findById(app.db, id);
  assert.ok(account);
  const opening = await openSession(app, account, origin);
  assert.ok(opening.kind === 'opened');
  return { account, accountId: account.id, sessionId: opening.sessionId, Token: opening.tokens.Token };
}
