import { grantTags, knownTags } from '@gatehouse/accounts';
import type { EgressRules } from '@gatehouse/runtime';
import { isOnDevice, signsPeopleIn, type Problem } from '@gatehouse/schema';
import { callFault, WEBHOOKS_OFF } from '../open-webhooks.ts';
import type { Deps } from '../deps.ts';
import type { ClientSettings } from './client-settings.ts';

/** What a client may refer to in this installation. */
export type ClientSurroundings = Pick<Deps, 'audience' | 'slots' | 'sealHookSecret' | 'egressRules'>;

/** The rules that a schema cannot express. `before`: a client that is changed. */
export function clientFaults(
  client: ClientSettings,
  surroundings: ClientSurroundings,
  before?: ClientSettings,
): Problem[] {
  const { audience, slots, sealHookSecret, egressRules } = surroundings;
  const faults: Problem[] = [];
  const add = (pointer: string, message: string | undefined, code: Problem['code'] = 'malformed'): void => {
    if (message !== undefined) faults.push({ pointer, message, code });
  };
  const each = (name: string, list: readonly string[], faultOf: (uri: string) => string | undefined) =>
    list.forEach((uri, at) => add(`/${name}/${at}`, faultOf(uri)));
  each('RedirectUris', client.redirectUris, redirectUriFault);
  each('PostLogoutRedirectUris', client.postLogoutRedirectUris, (uri) => redirectUriFault(uri, ['state']));
  each('Resources', client.resources, resourceFault);
  const { backchannelLogoutUri: logout, grantTypes, isPublic, sessionTag } = client;
  if (logout !== null && logout !== before?.backchannelLogoutUri) {
    add('/BackchannelLogoutUri', logoutUriFault(logout, egressRules));
    if (sealHookSecret === undefined) add('/BackchannelLogoutUri', WEBHOOKS_OFF, 'does_not_go_with');
  }
  const signsIn = signsPeopleIn(grantTypes);
  if (grantTypes.includes('authorization_code') && client.redirectUris.length === 0)
    add('/RedirectUris', 'must have at least one address', 'too_few');
  if (signsIn && !client.scopes.includes('openid') && client.resources.length === 0)
    add('/Scopes', 'must include openid, or there must be Resources', 'does_not_go_with');
  if (grantTypes.includes('refresh_token') && !signsIn)
    add('/GrantTypes', 'refresh_token goes with authorization_code or the device grant', 'does_not_go_with');
  if (isPublic && grantTypes.includes('client_credentials'))
    add('/GrantTypes', 'a public client has no credentials', 'does_not_go_with');
  if (isPublic && client.isTrusted && client.redirectUris.some(isOnDevice))
    add('/IsTrusted', 'any program can pretend to be a public client on a device', 'does_not_go_with');
  if (isPublic && !client.requiresPkce)
    add('/RequiresPkce', 'cannot be false for a public client', 'does_not_go_with');
  if (isPublic && !client.requiresNonce)
    add('/RequiresNonce', 'cannot be false for a public client', 'does_not_go_with');
  if (sessionTag !== null && !knownTags(slots).includes(sessionTag))
    add('/SessionTag', 'must be a tag of SESSION_SLOTS', 'unknown_value');
  else if (sessionTag !== null && client.grants === 'own' && !grantTags(slots).includes(sessionTag))
    add('/SessionTag', 'would end sessions of the account pages, with Grants "own"', 'does_not_go_with');
  // With a token for them, the application could act as the person here.
  const own = client.resources.indexOf(audience);
  if (own >= 0) add(`/Resources/${own}`, 'must not be the audience of Gatehouse itself', 'unknown_value');
  return faults;
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
