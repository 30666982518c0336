import type { ClientSession } from '@gatehouse/db';

/** What the scopes of a client tell it about an account (OpenID Connect Core §5.4), besides `sub`. */
export function claimsOf(
  scopes: readonly string[],
  account: Pick<ClientSession, 'email' | 'isEmailVerified' | 'displayName' | 'locale' | 'groups'>,
): Record<string, unknown> {
  const { email, isEmailVerified, displayName, locale, groups } = account;
  return {
    ...(scopes.includes('email') && { email, email_verified: isEmailVerified }),
    ...(scopes.includes('profile') && { ...(displayName !== null && { name: displayName }), locale }),
    ...(scopes.includes('groups') && { groups }),
  };
}
