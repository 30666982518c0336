import { grantTags, knownTags } from '@gatehouse/accounts';
import { isOnDevice, redirectUriFault, signsPeopleIn, uriFault, type Problem } from '@gatehouse/schema';
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
  each('Resources', client.resources, uriFault);
  const { backchannelLogoutUri: logout, grantTypes, isPublic, sessionTag } = client;
  if (logout !== null && logout !== before?.backchannelLogoutUri) {
    // The hook worker calls it.
    add('/BackchannelLogoutUri', uriFault(logout) ?? callFault(egressRules, logout));
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

/** What administrators cannot change of an application that says in a document what it is: all but who may use it. */
export function documentFaults(changed: Record<string, unknown>): Problem[] {
  return Object.keys(changed)
    .filter((name) => !OF_DOCUMENTS.has(name))
    .map((name) => ({
      pointer: `/${name}`,
      message: 'comes from the document of the application, or from the settings',
      code: 'does_not_go_with' as const,
    }));
}

const OF_DOCUMENTS: ReadonlySet<string> = new Set(['Roles', 'Groups', 'GrantMaxSeconds']);
