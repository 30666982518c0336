import { someEmail } from '@gatehouse/accounts/testing';
import { accounts, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { useSso } from './browser.ts';

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

  const selectSsoIdentity = 'select subject from sso_identity where account_id = ? order by linked_at';
  const identities = (accountId: string) => sso.sql<{ subject: string }>(selectSsoIdentity, [accountId]);
  const audited = async (accountId: string) =>
    (await sso.history({ targetId: accountId }, 'action', 'actorKind', 'details')).toReversed();
  const selectOutbox = `select id from outbox where event->>'type' = 'account.verified'
    and event->'data'->>'UserId' = ?`;
  const verifications = (accountId: string) => sso.sql(selectOutbox, [accountId]);
  const newPending = async (overrides: Partial<Parameters<typeof accounts.insert>[1]>) => {
    const person = { id: newId(), email: someEmail() };
    const usual = { displayName: undefined, passwordHash: undefined, isEmailVerified: false, locale: 'en' };
    const standing = { role: 'User', signup: 'complete', emailKey: emailKey(person.email) } as const;
    const made = { ...usual, ...standing, ...person };
    await inTransaction(sso.admin.app.db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, { ...made, ...overrides }),
    );
    return person;
  };

  return Object.assign(sso, { identities, audited, verifications, newPending });
}
