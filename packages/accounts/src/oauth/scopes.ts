import { OAUTH_SCOPES } from '@gatehouse/schema';

const KNOWN_SCOPES: readonly string[] = OAUTH_SCOPES;

/**
 * The scopes that a client asks for. Unknown ones are ignored (OpenID Connect Core §3.1.2.1); `undefined` if there are
 * none, one of them is not this client's, or they are not separated by single spaces (RFC 6749 §3.3).
 */
export function readScopes(
  text: string | undefined,
  { scopes }: { scopes: readonly string[] },
): string[] | undefined {
  const asked = [...new Set((text ?? '').split(' '))];
  if (asked.includes('')) return undefined;
  if (asked.some((scope) => KNOWN_SCOPES.includes(scope) && !scopes.includes(scope))) return undefined;
  const given = asked.filter((scope) => scopes.includes(scope));
  return given.length === 0 ? undefined : given;
}

/**
 * The scopes of a client's own token (RFC 6749 §4.4): of those for its resources, the ones that it asks for, or all;
 * `undefined` for any other.
 */
export function readOwnScopes(
  text: string | undefined,
  { scopes }: { scopes: readonly string[] },
): string[] | undefined {
  const own = scopes.filter((scope) => !KNOWN_SCOPES.includes(scope));
  return narrowScopes(text, own);
}

/** Those of the granted scopes that are asked for, or all; `undefined` for any other (RFC 6749 §6). */
export function narrowScopes(text: string | undefined, granted: readonly string[]): string[] | undefined {
  if (text === undefined) return [...granted];
  const asked = [...new Set(text.split(' '))];
  return asked.every((scope) => granted.includes(scope)) ? asked : undefined;
}
