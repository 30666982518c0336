import type { Caller } from '@gatehouse/auth-core';
import type { Actor, AuditAction } from '@gatehouse/db';

export function actorOf(caller: Caller): Exclude<Actor, { kind: 'System' }> {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}

export function byOwner(action: AuditAction, accountId: string, details?: Record<string, unknown>) {
  const account = { kind: 'Account', id: accountId } as const;
  return { action, actor: account, target: account, details };
}
