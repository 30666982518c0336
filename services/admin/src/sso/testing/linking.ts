import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { startSso, type Returned } from './browser.ts';

export type TestLinking = Awaited<ReturnType<typeof startLinking>>;

/** Starts Admin with one provider for each kind of provisioning, and helpers that examine the resulting accounts. */
export async function startLinking() {
  const sso = await startSso({
    off: {},
    invited: { provisioning: 'invited' },
    jit: { provisioning: 'jit' },
    strange: { trustEmail: false },
    staff: { provisioning: 'jit', allowedDomains: ['corp.example', 'xn--bcher-kva.example'] },
    strong: { provisioning: 'jit', trustSecondFactor: true },
    leads: { follow: ['name', 'email'], allowedDomains: [someEmail().replace(/^.*@/, '')] },
  });
  // Unpublished events stay in the outbox, where the tests read them.
  await sso.admin.app.relay.stop();

  /** The id of the account that the tokens belong to, or the error. */
  const outcome = async (id: string, back: Returned): Promise<string | undefined> => {
    if (back.parameters['error'] !== undefined) {
      assert.deepEqual(Object.keys(back.parameters), ['error']);
      return back.parameters['error'];
    }
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${back.parameters[`${id}_token`]}`);
    return caller.kind === 'session' ? caller.accountId : JSON.stringify(caller);
  };
  const signOn = async (id: string, person: Record<string, unknown>) =>
    outcome(id, await sso.signOn(id, person));
  const change = (id: string, assignments: string) =>
    query(sso.admin.app.db, `update account set ${assignments} where id = ?`, [id]);
  const findAccount = (email: string) => accounts.findByEmailKey(sso.admin.app.db, emailKey(email));
  const identities = (accountId: string) =>
    query<{ subject: string }>(
      sso.admin.app.db,
      'select subject from sso_identity where account_id = ? order by linked_at',
      [accountId],
    );
  const audited = async (accountId: string) => {
    const rows = await query<{ action: string; actor_kind: string; details: object }>(
      sso.admin.app.db,
      'select action, actor_kind, details from audit where target_id = ? order by id',
      [accountId],
    );
    return rows.map((row) => [row.action, row.actor_kind, row.details]);
  };
  const verifications = (accountId: string) =>
    query(
      sso.admin.app.db,
      `select id from outbox where event->>'type' = 'account.verified' and event->'data'->>'UserId' = ?`,
      [accountId],
    );
  const newPending = async (
    overrides: Partial<Parameters<typeof accounts.insert>[1]>,
  ): Promise<{ id: string; email: string }> => {
    const person = { id: newId(), email: someEmail() };
    await inTransaction(sso.admin.app.db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, {
        ...person,
        emailKey: emailKey(person.email),
        displayName: undefined,
        locale: 'en',
        role: 'User',
        signup: 'complete',
        passwordHash: undefined,
        isEmailVerified: false,
        ...overrides,
      }),
    );
    return person;
  };

  return { sso, outcome, signOn, change, findAccount, identities, audited, verifications, newPending };
}
