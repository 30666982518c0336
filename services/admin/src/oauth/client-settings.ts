import { isDeepStrictEqual } from 'node:util';
import { grantTags, knownTags } from '@gatehouse/accounts';
import { fieldsIn, record, type RowOf } from '@gatehouse/kit';
import {
  distinctGroups,
  Enum,
  Groups,
  ID_TOKEN_ALGS,
  isOnDevice,
  NameOf,
  Nullable,
  OAUTH_GRANT_TYPES,
  Optional,
  redirectUriFault,
  signsPeopleIn,
  Text,
  Type,
  uriFault,
} from '@gatehouse/schema';
import type { Problem, Static, TObject } from '@gatehouse/schema';
import type { Deps } from '../deps.ts';
import { callFault, WEBHOOKS_OFF } from '../open-webhooks.ts';

const Role = NameOf(['User', 'Guest', 'Admin']);
const GrantType = Enum([...OAUTH_GRANT_TYPES]);
const IdTokenAlg = Enum([...ID_TOKEN_ALGS]);
const Grants = Enum(['session', 'own']);

export const settings = {
  name: Type.String(),
  isPublic: Type.Boolean(),
  redirectUris: Type.Array(Type.String()),
  postLogoutRedirectUris: Type.Array(Type.String()),
  backchannelLogoutUri: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  grantTypes: Type.Array(Type.String()),
  isTrusted: Type.Boolean(),
  roles: Type.Array(Role),
  groups: Type.Array(Type.String()),
  requiresPkce: Type.Boolean(),
  requiresNonce: Type.Boolean(),
  anyLocalhostPort: Type.Boolean(),
  idTokenAlg: IdTokenAlg,
  sessionTag: Nullable(Type.String()),
  resources: Type.Array(Type.String()),
  grants: Grants,
  grantMaxSeconds: Nullable(Type.Integer()),
  isDeclared: Type.Boolean({
    description: 'Whether it comes from `OAUTH_CLIENTS`, and is only changed there',
  }),
};

export type ClientSettings = RowOf<typeof settings>;
/** What the audit says of an application: nothing secret, and nothing personal. */
export const Audited = record('oauth_client', settings, { name: 'OauthClient' });

function uris(description: string) {
  const uri = Type.String({ minLength: 1, maxLength: 1024, examples: ['https://app.example.com/callback'] });
  return Type.Array(uri, { maxItems: 20, description });
}

/** RFC 6749 §3.3. */
const SCOPE = /^[!#-[\]-~]+$/;

const CHANGEABLE = {
  RedirectUris: Type.Optional(
    uris(
      'Where browsers return to, compared exactly; at least one, unless only `client_credentials` is used',
    ),
  ),
  PostLogoutRedirectUris: Type.Optional(uris('Where browsers return to after logging out')),
  BackchannelLogoutUri: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 1024, examples: ['https://app.example.com/logout'] }), {
      description: 'Where the application is told that a session has ended; null for none',
    }),
  ),
  Scopes: Type.Optional(
    Type.Array(
      Type.String({ minLength: 1, maxLength: 80, pattern: SCOPE.source, examples: ['orders.read'] }),
      {
        maxItems: 20,
        description:
          'Those of OpenID Connect, and scopes of its own, which mean something to its `Resources`',
      },
    ),
  ),
  GrantTypes: Type.Optional(
    Type.Array(GrantType, {
      maxItems: 4,
      description:
        'How it gets tokens; none: it gets no tokens, and may only introspect those for its `Resources`',
    }),
  ),
  IsTrusted: Optional.Boolean({
    description: 'Whether people are not asked for their consent; not for a public client on a device',
  }),
  Roles: Type.Optional(
    Type.Array(Role, {
      minItems: 1,
      maxItems: 3,
      description: 'Who may sign in; `User` and `Admin` by default',
    }),
  ),
  Groups: Type.Optional(Groups({ description: 'Of which one is needed to sign in; none: everybody may' })),
  RequiresPkce: Optional.Boolean({
    description: '`false` only for clients with a secret, which then send a `nonce`',
  }),
  RequiresNonce: Optional.Boolean({
    description: '`false` only for clients with a secret, which then may use neither',
  }),
  AnyLocalhostPort: Optional.Boolean({
    description: 'Whether `http://localhost` has any port, as `127.0.0.1` has; for public clients alone',
  }),
  IdTokenAlg: Type.Optional(IdTokenAlg),
  SessionTag: Type.Optional(
    Nullable(Text(32), {
      description:
        'The tag of sessions that a sign-in opens, one of `SESSION_SLOTS`; with `Grants` `own`, of the slot that it takes itself',
    }),
  ),
  Resources: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024, examples: ['https://api.example.com'] }), {
      maxItems: 20,
      description: 'The APIs for which it may request tokens (RFC 8707)',
    }),
  ),
  Grants: Type.Optional({
    ...Grants,
    description:
      '`own`: a sign-in outlives the session that it came from, until it is ended or not used any more',
  }),
  GrantMaxSeconds: Type.Optional(
    Nullable(Type.Integer({ minimum: 60, maximum: 2 ** 31 - 1 }), {
      description:
        'How long such a sign-in lives at most; null for `GRANT_MAX_SECONDS`, which is never exceeded',
    }),
  ),
};

const Name = Text(100, { description: 'Shown to the people who sign in' });

export const NEW_CLIENT = {
  Name,
  IsPublic: Optional.Boolean({
    description: 'An app in a browser or on a device, which cannot keep a secret',
  }),
  ...CHANGEABLE,
};

export const CLIENT_CHANGE = { Name: Type.Optional(Name), ...CHANGEABLE };

type Given = Static<TObject<typeof CLIENT_CHANGE>> & { IsPublic?: boolean };

export const STANDARD: Omit<ClientSettings, 'name'> = {
  isPublic: false,
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  grantTypes: ['authorization_code', 'refresh_token'],
  isTrusted: false,
  roles: ['User', 'Admin'],
  groups: [],
  requiresPkce: true,
  requiresNonce: true,
  anyLocalhostPort: true,
  idTokenAlg: 'RS256',
  sessionTag: null,
  resources: [],
  grants: 'session',
  grantMaxSeconds: null,
  isDeclared: false,
};

export function settingsOf(body: Given, before: ClientSettings): ClientSettings {
  const merged = { ...before, ...fieldsIn(body) };
  return {
    ...merged,
    redirectUris: distinct(merged.redirectUris),
    postLogoutRedirectUris: distinct(merged.postLogoutRedirectUris),
    scopes: distinct(merged.scopes),
    grantTypes: distinct(merged.grantTypes),
    roles: distinct(merged.roles),
    groups: distinctGroups(merged.groups),
    resources: distinct(merged.resources),
    anyLocalhostPort: merged.isPublic && merged.anyLocalhostPort,
  };
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** The settings in which two states of a client differ, with the new values, for the audit. */
export function differencesOf(before: ClientSettings, after: ClientSettings): Record<string, unknown> {
  const earlier: Record<string, unknown> = Audited.answer(before);
  const all = Object.entries(Audited.answer(after));
  return Object.fromEntries(all.filter(([name, value]) => !isDeepStrictEqual(earlier[name], value)));
}

const LISTED = [
  'redirectUris',
  'postLogoutRedirectUris',
  'scopes',
  'grantTypes',
  'roles',
  'resources',
] as const;

/** Whether more people get in, or for longer, or elsewhere, with less proof, or the application misses logouts. */
export function raisesRights(before: ClientSettings, after: ClientSettings): boolean {
  return (
    LISTED.some((name) => hasMore(before[name], after[name])) ||
    (before.groups.length > 0 && (after.groups.length === 0 || hasMore(before.groups, after.groups))) ||
    (after.isTrusted && !before.isTrusted) ||
    (before.requiresPkce && !after.requiresPkce) ||
    (before.requiresNonce && !after.requiresNonce) ||
    (after.anyLocalhostPort && !before.anyLocalhostPort) ||
    (after.grants === 'own' && before.grants !== 'own') ||
    (after.grantMaxSeconds ?? Infinity) > (before.grantMaxSeconds ?? Infinity) ||
    after.backchannelLogoutUri !== before.backchannelLogoutUri
  );
}

function hasMore(before: readonly string[], after: readonly string[]): boolean {
  return after.some((each) => !before.includes(each));
}

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
