import { someEmail } from '@gatehouse/accounts/testing';
import { useSso } from './browser.ts';

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
  /** Somebody whose email nobody has verified: without a password, or with that of a registration. */
  const newPending = async ({ role = 'User', signup = 'complete', hasPassword = false }: Pending = {}) => {
    const person = await sso.member({ role });
    const password = hasPassword ? '' : ', password_hash = null, password_scheme = null';
    await person.set(`email_verified_at = null, signup = '${signup}'${password}`);
    return person;
  };

  return Object.assign(sso, { identities, audited, newPending });
}

interface Pending {
  role?: 'User' | 'Admin' | 'Guest';
  signup?: 'complete' | 'new' | 'migration' | 'invitation';
  hasPassword?: boolean;
}
