/** The scopes that mean something here; an application may have scopes of its own for its resources. */
export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access', 'groups'] as const;

export const OAUTH_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;

/** The grant of a device without a browser (RFC 8628). */
export const DEVICE_GRANT = OAUTH_GRANT_TYPES[3];

export function signsPeopleIn(grantTypes: readonly string[]): boolean {
  return grantTypes.includes('authorization_code') || grantTypes.includes(DEVICE_GRANT);
}

/** Signatures of ID tokens. Many applications know RS256 alone. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const;

/** Whether any program on the user's device may receive what is sent there: to the loopback address, or a private scheme. */
export function isOnDevice(redirectUri: string): boolean {
  return !redirectUri.startsWith('https:');
}

/**
 * Why a text is no address to which we may redirect a browser with a code: `undefined` if it is one. Addresses are
 * compared character by character, so only spellings are accepted that every parser reads in the same way. `answer`: what
 * we add to it, and it must not have itself.
 */
export function redirectUriFault(text: string, answer: readonly string[] = AUTHORIZATION_ANSWER) {
  const shared = uriFault(text);
  if (shared !== undefined) return shared;
  const { protocol, searchParams } = new URL(text);
  const twice = answer.find((name) => searchParams.has(name));
  if (twice !== undefined) return `must not have ${twice} in its query, which the answer adds`;
  if (protocol === 'https:' || protocol === 'http:') return webUriFault(text);
  const isOwn = PRIVATE_SCHEME.test(text) || (PLAIN_SCHEME.test(text) && !TAKEN_SCHEMES.has(protocol));
  return isOwn ? undefined : 'must have https, http with localhost, or a scheme of your own';
}

const AUTHORIZATION_ANSWER = ['code', 'state', 'iss', 'error', 'error_description'];

/** Why a text is no absolute URI without a fragment, as a resource is (RFC 8707 §2); `undefined` if it is one. */
export function uriFault(text: string): string | undefined {
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

/** A reversed domain name (RFC 8252 §7.1), which excludes javascript:, data: and their like. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/i;
/** Many apps have a scheme without a domain name, such as `audiobookshelf://oauth`. */
const PLAIN_SCHEME = /^[a-z][a-z0-9+-]+:\/\/[^/]/i;
/** Schemes that a browser, or the system below it, gives a meaning of its own. */
const TAKEN_SCHEMES: ReadonlySet<string> = new Set(
  (
    'about android-app blob chrome chrome-extension chrome-untrusted content data edge feed file filesystem ftp intent ' +
    'jar javascript mailto moz-extension ms-appx res resource safari-web-extension sms tel urn vbscript view-source ws wss'
  )
    .split(' ')
    .map((scheme) => `${scheme}:`),
);
