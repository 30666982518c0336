import { credentialNameOf, isHandedOver, type Caller } from '@gatehouse/auth-core';

/** The caller's session, for operations that may require a fresh proof of identity. */
export function ownSession(caller: Extract<Caller, { kind: 'session' }>) {
  const { accountId, sessionId } = caller;
  return { accountId, sessionId, credential: credentialNameOf(caller), isHandedOver: isHandedOver(caller) };
}
