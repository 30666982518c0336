import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { useSso, type Returned } from './browser.ts';

/** Admin with one provider for each kind of provisioning, and helpers that examine the resulting accounts. */
export function useLinking() {
  const sso = useSso({
    off: {},
    invited: { provisioning: 'invited' },
    jit: { provisioning: 'jit' },
    strange: { trustEmail: false },
    staff: { provisioning: 'jit', allowedDomains: ['corp.example', 'xn--bcher-kva.example'] },
    strong: { provisioning: 'jit', trustSecondFactor: true },
    leads: { follow: ['name', 'email'], allowedDomains: [someEmail().replace(/^.*@/, '')] },
  });

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
    sso.sql(`update account set ${assignments} where id = ?`, [id]);
  const findAccount = (email: string) => accounts.findByEmailKey(sso.admin.app.db, emailKey(email));
  const selectSsoIdentity = 'select subject from sso_identity where account_id = ? order by linked_at';
  const identities = (accountId: string) => sso.sql<{ subject: string }>(selectSsoIdentity, [accountId]);
  const audited = async (accountId: string) => {
    const { entries } = await sso.audit({ targetId: accountId });
    return entries.toReversed().map(({ action, actorKind, details }) => [action, actorKind, details]);
  };
  const selectOutbox = `select id from outbox where event->>'type' = 'account.verified'
    and event->'data'->>'UserId' = ?`;
  const verifications = (accountId: string) => sso.sql(selectOutbox, [accountId]);
  const newPending = async (overrides: Partial<Parameters<typeof accounts.insert>[1]>) => {
    const person = { id: newId(), email: someEmail() };
    const usual = { displayName: undefined, passwordHash: undefined, isEmailVerified: false, locale: 'en' };
    const made = {
      ...usual,
      role: 'User',
      signup: 'complete',
      ...person,
      emailKey: emailKey(person.email),
    } as const;
    await inTransaction(sso.admin.app.db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, { ...made, ...overrides }),
    );
    return person;
  };

  return { sso, signOn, change, findAccount, identities, audited, verifications, newPending };
}
