import type { Caller } from '@gatehouse/auth-core';
import type { Actor, AuditAction } from '@gatehouse/db';

/** A caller in the form that the audit stores. */
export function actorOf(caller: Caller): Exclude<Actor, { kind: 'System' }> {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}

/** The audit entry of what an owner did to their own account. */
export function byOwner(action: AuditAction, accountId: string, details?: Record<string, unknown>) {
  const account = { kind: 'Account', id: accountId } as const;
  return { action, actor: account, target: account, details };
}
