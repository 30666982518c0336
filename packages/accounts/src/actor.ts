import type { Caller } from '@gatehouse/auth-core';
import type { Actor, AuditAction, AuditEntry } from '@gatehouse/db';

/** A caller as the audit names them. */
export function actorOf(caller: Caller): Exclude<Actor, { kind: 'System' }> {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}

/** What the owner of an account did to it, as the audit tells of it. */
export function byOwner(
  action: AuditAction,
  accountId: string,
  details?: Record<string, unknown>,
): AuditEntry {
  const account = { kind: 'Account', id: accountId } as const;
  return { action, actor: account, target: account, details };
}
