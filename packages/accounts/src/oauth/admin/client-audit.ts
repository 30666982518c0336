import { isDeepStrictEqual } from 'node:util';
import type { OAuthClient, OAuthClientFields } from '@gatehouse/db';

/** What the audit and administrators see of a client. It holds no secret and nothing personal. */
export function auditedClient(client: OAuthClientFields) {
  return {
    Name: client.name,
    IsPublic: client.isPublic,
    RedirectUris: client.redirectUris,
    PostLogoutRedirectUris: client.postLogoutRedirectUris,
    BackchannelLogoutUri: client.backchannelLogoutUri,
    Scopes: client.scopes,
    GrantTypes: client.grantTypes,
    IsTrusted: client.isTrusted,
    Roles: client.roles,
    Groups: client.groups,
    RequiresPkce: client.requiresPkce,
    RequiresNonce: client.requiresNonce,
    IdTokenAlg: client.idTokenAlg,
    SessionTag: client.sessionTag,
    Resources: client.resources,
    IsDeclared: client.isDeclared,
  };
}

/** The fields in which two states of a client differ, with the new values. */
export function clientDifferences(
  before: OAuthClientFields,
  after: OAuthClientFields,
): Record<string, unknown> {
  const earlier: Record<string, unknown> = auditedClient(before);
  const changed = Object.entries(auditedClient(after)).filter(
    ([name, value]) => !isDeepStrictEqual(earlier[name], value),
  );
  return Object.fromEntries(changed);
}

const LISTED = [
  'redirectUris',
  'postLogoutRedirectUris',
  'scopes',
  'grantTypes',
  'roles',
  'resources',
] as const;

/**
 * Whether a change lets more people in, sends them or what they bring to other places, asks for less proof, or leaves the
 * application unaware of logouts.
 */
export function raisesRights(before: OAuthClient, after: OAuthClientFields): boolean {
  return (
    LISTED.some((name) => hasMore(before[name], after[name])) ||
    (before.groups.length > 0 && (after.groups.length === 0 || hasMore(before.groups, after.groups))) ||
    (after.isTrusted && !before.isTrusted) ||
    (before.requiresPkce && !after.requiresPkce) ||
    (before.requiresNonce && !after.requiresNonce) ||
    after.backchannelLogoutUri !== before.backchannelLogoutUri
  );
}

function hasMore(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one));
}
