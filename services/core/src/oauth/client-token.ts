import { endClientSession } from '@gatehouse/accounts';
import { bearerToken, type ClientTokenClaims, type TokenRefusal } from '@gatehouse/auth-core';
import type { ClientSession, OAuthClient } from '@gatehouse/db';
import { form, invalidRequest, refusedCaller, SESSION_REFUSALS, type Refuse } from '@gatehouse/http';
import { refusalOf, type RefusalCode } from '@gatehouse/redis';
import { Optional, Type, type Static } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './calling-client.ts';

const Claims = Type.Object(
  {
    sub: Type.String({ description: 'The account ID' }),
    email: Optional.String({ description: 'With the scope `email`' }),
    email_verified: Optional.Boolean({ description: 'With the scope `email`' }),
    name: Optional.String({
      description: 'With the scope `profile`; the email of an account without a name',
    }),
    preferred_username: Optional.String({
      description: 'With the scope `profile`: the email up to the `@`, which is not unique',
    }),
    locale: Optional.String({ description: 'With the scope `profile`' }),
    groups: Type.Optional(Type.Array(Type.String(), { description: 'With the scope `groups`' })),
  },
  { title: 'Userinfo' },
);

const route = routeOf({ tag: 'Applications' });

const USERINFO_ERRORS = [
  'token_missing',
  'token_invalid',
  'token_expired',
  ...SESSION_REFUSALS,
  'insufficient_scope',
] as const;

const userinfo = {
  description:
    'Takes an access token of an application that has the scope `openid` and was not issued for another API. ' +
    'Gatehouse’s own access tokens are refused.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  errors: USERINFO_ERRORS,
  response: Claims,
} as const;

function tokenForm(description: string) {
  return form({
    token: Type.String({ maxLength: 8192, description }),
    token_type_hint: Optional.String({ maxLength: 100, description: 'Ignored' }),
    ...ClientCredentials.properties,
  });
}

/** What can be done with a token of an application: read the claims about its owner, check it, end what it belongs to. */
export const clientTokenRoutes = [
  route('GET /oauth/userinfo', {
    ...userinfo,
    operationId: 'getUserinfo',
    summary: 'Get the claims about the signed-in user (OpenID Connect)',
    // Not ignored as in other addresses: logs keep a token there (RFC 9700 §4.3.2).
    query: Type.Object({}),
    handler: ({ deps, request, refuse }) =>
      claimsFor(deps, bearerToken(request.headers.authorization), refuse),
  }),

  route('POST /oauth/userinfo', {
    ...userinfo,
    operationId: 'postUserinfo',
    summary: 'Get the claims about the signed-in user, with the token in the header or in the form',
    body: form({
      access_token: Optional.String({
        maxLength: 8192,
        description: 'The access token, if not in the header',
      }),
    }),
    handler: ({ deps, request, body: { access_token: inForm }, refuse }) => {
      const { authorization } = request.headers;
      if (authorization !== undefined && inForm !== undefined)
        throw invalidRequest('The access token is given twice');
      return claimsFor(deps, inForm ?? bearerToken(authorization), refuse);
    },
  }),

  route('POST /oauth/introspect', {
    operationId: 'introspectClientToken',
    summary: 'Check an access token of an application (RFC 7662)',
    description:
      'For confidential clients: `active` is true for tokens that were issued to the caller, or for one of its `Resources`. ' +
      'It becomes false as soon as the session ends.',
    access: 'public',
    rules: { errors: 'oauth' },
    body: tokenForm('The access token'),
    response: Type.Object(
      {
        active: Type.Boolean({ description: 'Whether it is valid now; without that there is nothing else' }),
        iss: Optional.String({ description: 'The issuer' }),
        aud: Optional.String({ description: 'The API or client that it is for' }),
        sub: Optional.String({ description: 'The account ID, or the client ID' }),
        client_id: Optional.String({ description: 'The client that it was issued to' }),
        scope: Optional.String({ description: 'Its scopes' }),
        sid: Optional.String({ description: 'The session ID' }),
        iat: Optional.Integer({ description: 'When it was issued, in epoch seconds' }),
        exp: Optional.Integer({ description: 'When it expires, in epoch seconds' }),
        token_type: Type.Optional(Type.Literal('Bearer')),
      },
      { title: 'ClientTokenState' },
    ),
    errors: CLIENT_ERRORS,
    handler: async ({ body, deps, request, refuse }) => {
      const client = await callingClient(deps, body, request, refuse);
      // Anybody can say the id of a public client.
      if (client.isPublic) throw refuse('invalid_client');
      const found = await findClientToken(deps, body.token);
      if (found.kind === 'refused') return { active: false };
      const { audience, clientId, account, issuedAt, expiresAt } = found.claims;
      // Nobody learns whether another client's token is genuine (RFC 7662 §2).
      const isItsOwn =
        clientId === client.id || audience === client.id || client.resources.includes(audience);
      if (!isItsOwn) return { active: false };
      return {
        active: true,
        iss: deps.issuer,
        aud: audience,
        sub: account?.accountId ?? clientId,
        client_id: clientId,
        scope: found.scopes.join(' '),
        ...(account && { sid: account.sessionId }),
        iat: issuedAt,
        exp: expiresAt,
        token_type: 'Bearer' as const,
      };
    },
  }),

  route('POST /oauth/revoke', {
    operationId: 'revokeClientToken',
    summary: 'End what a token of an application belongs to (RFC 7009)',
    description:
      'With a refresh token or an access token, the application’s sign-in and all its tokens end; the session stays. ' +
      'The answer is the same for unknown tokens and those of others.',
    access: 'public',
    rules: { cors: 'any', errors: 'oauth' },
    body: tokenForm('The token'),
    response: Type.Object({}, { title: 'Revoked' }),
    errors: ['unsupported_token_type', ...CLIENT_ERRORS],
    handler: async ({ body, deps, request, refuse }) => {
      const client = await callingClient(deps, body, request, refuse);
      const refreshed = deps.clientRefreshTokens.read(body.token);
      const id = refreshed?.sessionId ?? (await clientSessionOf(deps, client, body.token, refuse));
      if (id !== undefined) await endClientSession(deps, { client, id }, 'by_application', request);
      return {};
    },
  }),
];

/**
 * What a client may know about the owner of its session (OpenID Connect Core §5.3). A token for another API does not
 * count: who runs that API has it too, and must not learn what only the client was told.
 */
async function claimsFor(
  deps: Deps,
  token: ReturnType<typeof bearerToken>,
  refuse: Refuse<(typeof USERINFO_ERRORS)[number]>,
): Promise<Static<typeof Claims>> {
  if (typeof token !== 'string') throw refusedCaller(refuse, token);
  const found = await findClientToken(deps, token);
  if (found.kind === 'refused') throw refusedCaller(refuse, found);
  const { claims, session, scopes } = found;
  const isForClient = claims.audience === claims.clientId && scopes.includes('openid');
  if (session === undefined || !isForClient)
    throw refuse('insufficient_scope', 'The access token is not for this');
  return { ...claimsOf(scopes, session), sub: session.accountId };
}

/** What scopes tell (OpenID Connect Core §5.4). Many applications create no user without a name and a user name. */
export function claimsOf(
  scopes: readonly string[],
  account: Pick<ClientSession, 'email' | 'isEmailVerified' | 'displayName' | 'locale' | 'groups'>,
): Record<string, unknown> {
  const { email, isEmailVerified, displayName, locale, groups } = account;
  const userName = email.slice(0, email.lastIndexOf('@'));
  return {
    ...(scopes.includes('email') && { email, email_verified: isEmailVerified }),
    ...(scopes.includes('profile') && { name: displayName ?? email, preferred_username: userName, locale }),
    ...(scopes.includes('groups') && { groups }),
  };
}

/** `undefined` for a token that is unknown or of another client (RFC 7009). A client’s own one only expires. */
async function clientSessionOf(
  { clientTokens }: Deps,
  client: Pick<OAuthClient, 'id'>,
  token: string,
  refuse: Refuse<'unsupported_token_type'>,
): Promise<string | undefined> {
  const claims = await clientTokens.verifyAccessToken(token);
  if (claims.kind === 'refused' || claims.clientId !== client.id) return undefined;
  if (claims.account === undefined) throw refuse('unsupported_token_type');
  return claims.account.clientSessionId;
}

/** A valid access token of a client, with the scopes that it may still have; without a session it is the client's own. */
interface FoundClientToken {
  kind: 'found';
  claims: ClientTokenClaims;
  session: ClientSession | undefined;
  scopes: readonly string[];
}

/**
 * Checks an access token of a client: that it is genuine, that its session, if it has one, is active by the cached copy
 * that every request reads, and that the client let the person in less than a second ago.
 */
async function findClientToken(
  { readClient, readClientSession, sessionCache, settings, clientTokens }: Deps,
  token: string,
): Promise<FoundClientToken | TokenRefusal | { kind: 'refused'; code: RefusalCode }> {
  const claims = await clientTokens.verifyAccessToken(token);
  if (claims.kind === 'refused') return claims;
  const { account, clientId } = claims;
  if (account === undefined) {
    const client = await readClient(clientId);
    if (client?.grantTypes.includes('client_credentials') !== true) return ENDED;
    return { kind: 'found', claims, session: undefined, scopes: narrowed(claims, client) };
  }
  if (account.sessionId !== account.clientSessionId) {
    const copy = await sessionCache.read(account.accountId, account.sessionId);
    const code = copy === undefined ? ENDED.code : refusalOf(copy, settings.SESSION_IDLE_SECONDS);
    if (code !== undefined) return { kind: 'refused', code };
  }
  const session = await readClientSession(account.clientSessionId);
  const isItsOwn =
    session?.clientId === clientId &&
    session.sessionId === account.sessionId &&
    session.accountId === account.accountId;
  return isItsOwn ? { kind: 'found', claims, session, scopes: narrowed(claims, session) } : ENDED;
}

const ENDED = { kind: 'refused', code: 'session_ended' } as const;

function narrowed(claims: ClientTokenClaims, { scopes }: { scopes: readonly string[] }): string[] {
  return claims.scopes.filter((scope) => scopes.includes(scope));
}
