import type { Authentication, AuthenticationMethod } from '@gatehouse/db';
import type { Origin } from '../deps.ts';

type LoginOrigin = Origin & { authentication: Authentication; ssoProvider?: string | undefined };

/** What opened a session, by the first proof; a password unless listed. */
const FIRST_PROOFS: Partial<
  Record<AuthenticationMethod, { method: 'Passkey' | 'MailCode'; counted: 'login.passkey' | 'login.email' }>
> = {
  passkey: { method: 'Passkey', counted: 'login.passkey' },
  'mail-code': { method: 'MailCode', counted: 'login.email' },
};

function firstProofOf({ authentication }: Pick<LoginOrigin, 'authentication'>) {
  return FIRST_PROOFS[authentication.by[0] ?? 'password'];
}

/** The sign-in that opened a session, as it is recorded. */
export function attemptOf(accountId: string, origin: LoginOrigin) {
  const { ssoProvider: provider, address, userAgent, traceId } = origin;
  const method = provider === undefined ? (firstProofOf(origin)?.method ?? 'Password') : 'SignOn';
  return { accountId, method, provider, address, userAgent, traceId } as const;
}

/** What it counts as in the statistics. */
export function countedAs(origin: LoginOrigin) {
  const { ssoProvider } = origin;
  if (ssoProvider !== undefined) return `login.sso.${ssoProvider}` as const;
  return firstProofOf(origin)?.counted ?? 'login.password';
}
