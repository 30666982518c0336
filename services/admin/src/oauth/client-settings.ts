import { isDeepStrictEqual } from 'node:util';
import { fieldsIn, record, type RowOf } from '@gatehouse/kit';
import {
  distinctGroups,
  Enum,
  Groups,
  ID_TOKEN_ALGS,
  NameOf,
  Nullable,
  OAUTH_GRANT_TYPES,
  Optional,
  Text,
  Type,
} from '@gatehouse/schema';
import type { Static, TObject } from '@gatehouse/schema';

const Role = NameOf(['User', 'Guest', 'Admin']);
const GrantType = Enum([...OAUTH_GRANT_TYPES]);
const IdTokenAlg = Enum([...ID_TOKEN_ALGS]);
const Grants = Enum(['session', 'own']);

/** What administrators set. */
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

/** A change of a client; omitted fields remain unchanged. */
export const CLIENT_CHANGE = { Name: Type.Optional(Name), ...CHANGEABLE };

type Given = Static<TObject<typeof CLIENT_CHANGE>> & { IsPublic?: boolean };

/** The settings of a client of which nothing is given. */
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
  const changed = Object.entries(Audited.answer(after)).filter(
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
 * Whether a change lets more people in or for longer, sends them or what they bring to other places, asks for less proof,
 * or leaves the application unaware of logouts.
 */
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
