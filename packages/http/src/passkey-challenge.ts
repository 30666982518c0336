import { PasskeyRequestOptions, type RequestOptionsJson } from '@gatehouse/auth-core';
import { Type } from '@gatehouse/schema';
import type { Refuse } from './refusals.ts';

export const PasskeyChallenge = Type.Object(
  { PasskeyToken: Type.String(), Options: PasskeyRequestOptions },
  { title: 'PasskeyChallenge' },
);

/** The outcome of a request for a challenge, as `packages/accounts` returns it. */
type Requested =
  | { kind: 'asked'; token: string; options: RequestOptionsJson }
  | { kind: 'off' }
  | { kind: 'none' }
  | { kind: 'throttled'; retryAfterSeconds: number };

export function passkeyChallenge(refuse: Refuse<'conflict' | 'too_many_requests'>, requested: Requested) {
  switch (requested.kind) {
    case 'asked':
      return { PasskeyToken: requested.token, Options: requested.options };
    case 'off':
      throw refuse('conflict', 'Passkeys are off');
    case 'none':
      throw refuse('conflict', 'The account has no passkey');
    case 'throttled': {
      const { retryAfterSeconds } = requested;
      throw refuse('too_many_requests', 'Too many attempts from this IP address', { retryAfterSeconds });
    }
  }
}
