import type { EgressRules } from '@gatehouse/runtime';
import { callFault } from '../check-url.ts';

/**
 * Why a text is no address to which we may redirect a browser with a code: `undefined` if it is one. Addresses are
 * compared character by character, so only spellings are accepted that every parser reads in the same way. `answer`: what
 * we add to it, and it must not have itself.
 */
export function redirectUriFault(
  text: string,
  answer: readonly string[] = AUTHORIZATION_ANSWER,
): string | undefined {
  const shared = uriFault(text);
  if (shared !== undefined) return shared;
  const { protocol, searchParams } = new URL(text);
  const twice = answer.find((name) => searchParams.has(name));
  if (twice !== undefined) return `must not have ${twice} in its query, which the answer adds`;
  if (protocol === 'https:' || protocol === 'http:') return webUriFault(text);
  // RFC 8252 §7.1. A domain name excludes javascript:, data: and their like.
  return PRIVATE_SCHEME.test(text)
    ? undefined
    : 'must have https, http with localhost, or a scheme of your own that is a reversed domain name';
}

const AUTHORIZATION_ANSWER = ['code', 'state', 'iss', 'error', 'error_description'];

/** Why a text is no address at which the hook worker tells an application of the end of a session. */
export function logoutUriFault(text: string, rules: EgressRules): string | undefined {
  return uriFault(text) ?? callFault(rules, text);
}

/** Why a text is no resource (RFC 8707 §2): an absolute URI without a fragment. */
export function resourceFault(text: string): string | undefined {
  return uriFault(text);
}

function uriFault(text: string): string | undefined {
  if (!/^[!-~]+$/.test(text) || text.includes('\\') || !URL.canParse(text)) return 'must be an absolute URI';
  if (text.includes('#')) return 'must not have a fragment';
  if (text.includes('*')) return 'must not have a wildcard';
  const { username, password, port } = new URL(text);
  if (port === '0') return 'must not have the port 0';
  return username !== '' || password !== '' ? 'must not have a user name or password' : undefined;
}

function webUriFault(text: string): string | undefined {
  const isWeb = /^https:\/\/[^/]/.test(text) || (/^http:\/\/[^/]/.test(text) && isLoopback(text));
  return isWeb ? undefined : 'must have https, or http with localhost';
}

function isLoopback(text: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(text).hostname);
}

const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;
