import type { Caller } from '@gatehouse/auth-core';
import type { Actor } from '@gatehouse/db';

export function actorOf(caller: Caller): Exclude<Actor, { kind: 'System' }> {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}
