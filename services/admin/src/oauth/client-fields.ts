import { isOnDevice, knownTags } from '@gatehouse/accounts';
import type { OAuthClientFields } from '@gatehouse/db';
import {
  distinctGroups,
  Enum,
  Groups,
  ID_TOKEN_ALGS,
  NameOf,
  Nullable,
  OAUTH_GRANT_TYPES,
  Text,
  Type,
  type Problem,
  type Static,
} from '@gatehouse/schema';
import type { Deps } from '../deps.ts';
import { WEBHOOKS_OFF } from '../open-webhooks.ts';
import { logoutUriFault, redirectUriFault, resourceFault } from './client-uri.ts';

function uris(description: string) {
  return Type.Array(
    Type.String({ minLength: 1, maxLength: 1024, examples: ['https://app.example.com/callback'] }),
    {
      maxItems: 20,
      description,
    },
  );
}

/** RFC 6749 §3.3. */
const SCOPE = /^[!#-[\]-~]+$/;

/** The fields of a client that can be changed. */
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
    Type.Array(Enum([...OAUTH_GRANT_TYPES]), {
      maxItems: 3,
      description:
        'How it gets tokens; none: it gets no tokens, and may only introspect those for its `Resources`',
    }),
  ),
  IsTrusted: Type.Optional(
    Type.Boolean({
      description: 'Whether people are not asked for their consent; not for a public client on a device',
    }),
  ),
  Roles: Type.Optional(
    Type.Array(NameOf(['User', 'Guest', 'Admin']), {
      minItems: 1,
      maxItems: 3,
      description: 'Who may sign in; `User` and `Admin` by default',
    }),
  ),
  Groups: Type.Optional(Groups({ description: 'Of which one is needed to sign in; none: everybody may' })),
  RequiresPkce: Type.Optional(
    Type.Boolean({ description: '`false` only for clients with a secret, which then send a `nonce`' }),
  ),
  RequiresNonce: Type.Optional(
    Type.Boolean({ description: '`false` only for clients with a secret, which then may use neither' }),
  ),
  IdTokenAlg: Type.Optional(Enum([...ID_TOKEN_ALGS])),
  SessionTag: Type.Optional(
    Nullable(Text(32), { description: 'The tag of sessions that a sign-in opens, one of `SESSION_SLOTS`' }),
  ),
  Resources: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024, examples: ['https://api.example.com'] }), {
      maxItems: 20,
      description: 'The APIs for which it may request tokens (RFC 8707)',
    }),
  ),
};

const Name = Text(100, { description: 'Shown to the people who sign in' });

/** A client to register. */
export const NewClient = Type.Object({
  Name,
  IsPublic: Type.Optional(
    Type.Boolean({ description: 'An app in a browser or on a device, which cannot keep a secret' }),
  ),
  ...CHANGEABLE,
});

/** A change of a client; omitted fields remain unchanged. */
export const ClientChange = Type.Object({ Name: Type.Optional(Name), ...CHANGEABLE });

type Given = Static<typeof ClientChange>;

/** The fields of a client of which nothing is given. */
export const STANDARD: Omit<OAuthClientFields, 'name'> = {
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
  idTokenAlg: 'RS256',
  sessionTag: null,
  resources: [],
  isDeclared: false,
};

/** The given fields of a client, and the others as they were. */
export function fieldsOf(given: Given, before: OAuthClientFields): OAuthClientFields {
  const { BackchannelLogoutUri: backchannel, SessionTag: tag, Groups: groups } = given;
  return {
    isPublic: before.isPublic,
    isDeclared: before.isDeclared,
    name: given.Name ?? before.name,
    redirectUris: distinct(given.RedirectUris) ?? before.redirectUris,
    postLogoutRedirectUris: distinct(given.PostLogoutRedirectUris) ?? before.postLogoutRedirectUris,
    backchannelLogoutUri: backchannel === undefined ? before.backchannelLogoutUri : backchannel,
    scopes: distinct(given.Scopes) ?? before.scopes,
    grantTypes: distinct(given.GrantTypes) ?? before.grantTypes,
    isTrusted: given.IsTrusted ?? before.isTrusted,
    roles: distinct(given.Roles) ?? before.roles,
    groups: groups === undefined ? before.groups : distinctGroups(groups),
    requiresPkce: given.RequiresPkce ?? before.requiresPkce,
    requiresNonce: given.RequiresNonce ?? before.requiresNonce,
    idTokenAlg: given.IdTokenAlg ?? before.idTokenAlg,
    sessionTag: tag === undefined ? before.sessionTag : tag,
    resources: distinct(given.Resources) ?? before.resources,
  };
}

function distinct<T>(list: readonly T[] | undefined): T[] | undefined {
  return list && [...new Set(list)];
}

/** What a client may refer to in this installation. */
export type ClientSurroundings = Pick<Deps, 'audience' | 'slots' | 'sealHookSecret' | 'egressRules'>;

/** The rules that a schema cannot express. `before`: a client that is changed. */
export function clientFaults(
  client: OAuthClientFields,
  surroundings: ClientSurroundings,
  before?: OAuthClientFields,
): Problem[] {
  const { audience, slots, sealHookSecret, egressRules } = surroundings;
  const faults: Problem[] = [];
  const add = (pointer: string, message: string | undefined, code: Problem['code'] = 'malformed'): void => {
    if (message !== undefined) faults.push({ pointer, message, code });
  };
  const each = (name: string, list: readonly string[], faultOf: (uri: string) => string | undefined): void =>
    list.forEach((uri, at) => add(`/${name}/${at}`, faultOf(uri)));
  each('RedirectUris', client.redirectUris, redirectUriFault);
  each('PostLogoutRedirectUris', client.postLogoutRedirectUris, (uri) => redirectUriFault(uri, ['state']));
  each('Resources', client.resources, resourceFault);
  const { backchannelLogoutUri: logout, grantTypes, isPublic, sessionTag } = client;
  if (logout !== null && logout !== before?.backchannelLogoutUri) {
    add('/BackchannelLogoutUri', logoutUriFault(logout, egressRules));
    if (sealHookSecret === undefined) add('/BackchannelLogoutUri', WEBHOOKS_OFF, 'does_not_go_with');
  }
  const signsIn = grantTypes.includes('authorization_code');
  if (signsIn && client.redirectUris.length === 0)
    add('/RedirectUris', 'must have at least one address', 'too_few');
  if (signsIn && !client.scopes.includes('openid') && client.resources.length === 0)
    add('/Scopes', 'must include openid, or there must be Resources', 'does_not_go_with');
  if (grantTypes.includes('refresh_token') && !signsIn)
    add('/GrantTypes', 'refresh_token goes with authorization_code', 'does_not_go_with');
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
  // With a token for them, the application could act as the person here.
  const own = client.resources.indexOf(audience);
  if (own >= 0) add(`/Resources/${own}`, 'must not be the audience of Gatehouse itself', 'unknown_value');
  return faults;
}
