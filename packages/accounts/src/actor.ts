import type { Caller } from '@gatehouse/auth-core';
import type { Actor } from '@gatehouse/db';

/** A caller as the audit names them. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}
