import {
  asOwner,
  endClientSession,
  findSlot,
  grantTags,
  isKnownNonce,
  mailNotice,
  wasSeenSince,
  write,
} from '@gatehouse/accounts';
import { hashInvitationToken, isChallengeOf } from '@gatehouse/auth-core';
import { accounts, clientSessions, oauthClients, sessionRefresh } from '@gatehouse/db';
import type { ClientSession, OAuthClient } from '@gatehouse/db';
import { form, invalidRequest, type Refuse, type RequestFacts } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { DEVICE_GRANT, OAUTH_GRANT_TYPES, OAUTH_SCOPES, Optional, Type } from '@gatehouse/schema';
import type { Static } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { route, type Deps } from '../deps.ts';
import { clientIdOf } from './agents/find-agent.ts';
import { readScopes } from './authorization-request.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './calling-client.ts';
import { claimsOf } from './client-token.ts';
import { pollDevice, SYSTEM } from './device.ts';
import { findCode, useCode, type OAuthCode } from './store.ts';

const TokenRequest = form({
  grant_type: Type.String({
    maxLength: 100,
    description: 'The kind of grant',
    examples: ['client_credentials'],
  }),
  code: Optional.String({ maxLength: 200, description: 'The authorization code' }),
  redirect_uri: Optional.String({ maxLength: 2000, description: 'That of the authorization request' }),
  code_verifier: Optional.String({ maxLength: 200, description: 'The verifier of the challenge (PKCE)' }),
  refresh_token: Optional.String({ maxLength: 200, description: 'The refresh token' }),
  device_code: Optional.String({ maxLength: 200, description: 'The code of the device' }),
  scope: Optional.String({ maxLength: 2000, description: 'Fewer scopes than were granted' }),
  resource: Optional.String({ maxLength: 2000, description: 'The API that the access token is for' }),
  ...ClientCredentials.properties,
});

const TokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'The access token (RFC 9068)' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Its lifetime in seconds' }),
    scope: Type.String({ description: 'Its scopes' }),
    refresh_token: Optional.String({ description: 'For the scope `offline_access`' }),
    id_token: Optional.String({ description: 'For the scope `openid`' }),
  },
  { title: 'ClientTokens' },
);
type Tokens = Static<typeof TokenAnswer>;

const ERRORS = [
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  ...CLIENT_ERRORS,
] as const;

export const requestClientToken = route('POST /oauth/token', {
  operationId: 'requestClientToken',
  tag: 'Applications',
  summary: 'Get tokens for an application',
  description:
    'The token endpoint of OAuth 2.1, with the grants `authorization_code`, `refresh_token`, `client_credentials` and, for ' +
    'devices, `urn:ietf:params:oauth:grant-type:device_code`. ' +
    'A confidential client sends its secret by `Authorization: Basic`, or as `client_secret`.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  body: TokenRequest,
  response: TokenAnswer,
  headers: { fixed: { 'Cache-Control': 'no-store' } },
  errors: ERRORS,
  handler: async ({ body, deps, request, refuse }) => {
    const client = await callingClient(deps, body, request, refuse);
    const call = { deps, client, body, request, refuse };
    const type = OAUTH_GRANT_TYPES.find((one) => one === body.grant_type);
    if (type === undefined) throw refuse('unsupported_grant_type');
    if (!client.grantTypes.includes(type)) throw refuse('unauthorized_client');
    return GRANTS[type](call);
  },
});

/** A call of a client that has authenticated. Refusals are those of RFC 6749 §5.2 and RFC 8707 §2. */
interface TokenCall {
  deps: Deps;
  client: OAuthClient;
  body: Static<typeof TokenRequest>;
  request: RequestFacts;
  refuse: Refuse<(typeof ERRORS)[number]>;
}

const GRANTS: Record<(typeof OAUTH_GRANT_TYPES)[number], (call: TokenCall) => Promise<Tokens>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  client_credentials: issueOwnToken,
  [DEVICE_GRANT]: exchangeDeviceCode,
};

/**
 * Exchanges an authorization code for tokens (RFC 6749 §4.1.3), once. A code that is shown with everything that belongs to it,
 * but was used before, is in two hands: what it opened ends. Shown without that, it changes nothing.
 */
async function exchangeCode(call: TokenCall): Promise<Tokens> {
  const { deps, body, refuse } = call;
  if (body.code === undefined) throw invalidRequest('code is missing');
  const codeHash = hashInvitationToken(body.code);
  const code = await findCode(deps.db, codeHash);
  if (code === undefined || !belongsTo(code, call)) throw refuse('invalid_grant');
  if (body.resource !== undefined && body.resource !== code.resource) throw refuse('invalid_target');
  return useUp(call, { ...code, codeHash });
}

/** Asks for the tokens of a device (RFC 8628 §3.4), which it gets once, as for a code. */
async function exchangeDeviceCode(call: TokenCall): Promise<Tokens> {
  const { deps, client, body, request, refuse } = call;
  if (body.device_code === undefined) throw invalidRequest('device_code is missing');
  const codeHash = hashInvitationToken(body.device_code);
  const device = { codeHash, clientId: client.id };
  const state = await write(deps, { actor: SYSTEM, origin: request }, (tx) => pollDevice(tx, device));
  if (state !== 'approved') throw refuse(state ?? 'invalid_grant');
  const code = await findCode(deps.db, codeHash);
  // The session has ended since, or the consent was withdrawn.
  if (code === undefined) throw refuse('access_denied');
  if (!code.isLiving && code.clientSessionId === null) throw refuse('expired_token');
  if (body.resource !== undefined && body.resource !== code.resource) throw refuse('invalid_target');
  return useUp(call, { ...code, codeHash });
}

async function useUp(call: TokenCall, code: OAuthCode & { codeHash: Buffer }): Promise<Tokens> {
  const { deps, client, request, refuse } = call;
  const { clientRefreshTokens } = deps;
  const [refreshCurrent, refreshNext] = [clientRefreshTokens.newNonce(), clientRefreshTokens.newNonce()];
  const opened =
    code.isLiving && code.clientSessionId === null
      ? await openClientSession(call, { ...code, refreshCurrent, refreshNext })
      : undefined;
  if (opened === undefined) {
    const used = (await findCode(deps.db, code.codeHash))?.clientSessionId;
    if (typeof used === 'string') await endClientSession(deps, { client, id: used }, 'token_reused', request);
    // The client may have just been deleted.
    const isDeleted = (await oauthClients.find(deps.db, client.id)) === undefined;
    throw refuse(isDeleted ? 'invalid_client' : 'invalid_grant');
  }
  return issueTokens(call, opened, { refreshNonce: refreshCurrent, nonce: code.nonce ?? undefined });
}

/**
 * Whether a code was issued to this client, for this redirect URI, and to whoever has the verifier. A verifier for a
 * code that has no challenge is refused, too: somebody has taken the challenge out of the request (RFC 9700 §4.8.2).
 */
function belongsTo(
  code: OAuthCode,
  { client, body: { redirect_uri: redirectUri, code_verifier: codeVerifier } }: TokenCall,
): boolean {
  if (code.clientId !== client.id || code.redirectUri !== redirectUri) return false;
  if (code.codeChallenge === null || codeVerifier === undefined)
    return code.codeChallenge === null && codeVerifier === undefined;
  return VERIFIER.test(codeVerifier) && isChallengeOf(codeVerifier, code.codeChallenge);
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Uses up a code; `undefined` if it is used, its session has ended, or the client does not let the person in any more.
 * What a client with grants of its own gets no longer depends on the session, and takes a slot of the client's tag.
 */
async function openClientSession(
  { deps, client, request, refuse }: TokenCall,
  code: OAuthCode & Record<'codeHash' | 'refreshCurrent' | 'refreshNext', Buffer>,
): Promise<ClientSession | undefined> {
  const id = newId();
  const { clientId, accountId, sessionId } = code;
  const author = { ...asOwner(accountId, request), target: { kind: 'OauthClient', id: clientId } as const };
  return write<ClientSession | undefined>(deps, author, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !(await oauthClients.hold(tx, code))) return rollBack(undefined);
    const { SESSION_IDLE_SECONDS: idleSeconds, GRANT_IDLE_SECONDS: grantIdleSeconds } = deps.settings;
    const { address, userAgent } = request;
    const maxSeconds = Math.min(deps.settings.GRANT_MAX_SECONDS, client.grantMaxSeconds ?? Infinity);
    const endsAt = Math.floor(deps.now() / 1000) + maxSeconds;
    const own = client.grants === 'own' && { sessionId: null, endsAt };
    const opening = { ...code, id, address, userAgent, ...own };
    const tag = own && grantTags(deps.slots).find((one) => one === client.sessionTag);
    const slot = tag ? await findSlot(deps, tx, account, { tag, takesOver: false }) : undefined;
    if (slot?.kind === 'taken') throw refuse('invalid_grant', 'Every slot of its SessionTag is taken');
    const opened = await clientSessions.insert(tx, opening, { idleSeconds, grantIdleSeconds });
    if (opened === undefined || !(await useCode(tx, { codeHash: code.codeHash, clientSessionId: id })))
      return rollBack(undefined);
    if (slot?.replaced !== undefined)
      await tx.endSessions(slot.replaced, 'replaced', { changedBy: undefined });
    const granted = opened.isOwn && { GrantId: id };
    tx.audit('app.signed-in', { SessionId: sessionId, Scopes: opened.scopes, ...granted });
    const connected = { ClientId: clientId };
    // Of the client's request: the address and the device are not those of the browser that allowed it.
    if (opened.isOwn) await mailNotice(deps, tx, account, 'account.app-connected', connected, request);
    return opened;
  });
}

/**
 * Returns new tokens for a client's refresh token (RFC 6749 §6). They rotate as those of sessions do (`refresh`): a genuine
 * token that is not the client's any more ends the client session. The user's session lives on, as it is seen.
 */
async function refresh(call: TokenCall): Promise<Tokens> {
  const { deps, client, body, request, refuse } = call;
  if (body.refresh_token === undefined) throw invalidRequest('refresh_token is missing');
  const read = deps.clientRefreshTokens.read(body.refresh_token);
  if (read === undefined) throw refuse('invalid_grant');
  const { address, userAgent } = request;
  const use = { ...read, clientId: client.id, address, userAgent };
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const rotated = await deps.rotateClient(use, request);
    if (rotated !== undefined) {
      if (!isRenewable(client, rotated)) throw refuse('invalid_grant');
      if (body.resource !== undefined && body.resource !== rotated.resource) throw refuse('invalid_target');
      const scopes = narrowed(call, rotated.scopes);
      deps.activity.count('refresh');
      const [tokens] = await Promise.all([
        issueTokens(call, rotated, { scopes, refreshNonce: rotated.successor }),
        rotated.isOwn || deps.sessionCache.keepAlive(rotated.accountId, rotated.sessionId),
      ]);
      return tokens;
    }

    const { sessionId: id } = read;
    const { REFRESH_GRACE_SECONDS: graceSeconds, GRANT_IDLE_SECONDS: grantIdleSeconds } = deps.settings;
    const held = await clientSessions.findRefreshState(deps.db, { id, graceSeconds });
    // What another client shows was copied from its owner, who did nothing wrong and keeps it.
    if (held === undefined || held.clientId !== client.id) throw refuse('invalid_grant');
    const session = held.sessionId !== null && (await findSession(deps, held.sessionId));
    if (session === undefined || (session && session.isEnded)) throw refuse('invalid_grant');
    if (!isKnownNonce(held, read.nonce)) {
      await endClientSession(deps, { client, id }, 'token_reused', request);
      throw refuse('invalid_grant');
    }
    const letIn = await clientSessions.findLetIn(deps.db, { id, grantIdleSeconds });
    const isLapsed = session && session.isLapsed && !(await wasSeenSince(deps, session, session.id, request));
    if (letIn === undefined || isLapsed) throw refuse('invalid_grant');
    // The token is valid by now: another request has rotated meanwhile, or the session was seen. Try again.
  }
  throw new Unavailable('session');
}

const LOOKS_MAX = 3;

async function findSession({ db, settings }: Deps, id: string) {
  const { REFRESH_GRACE_SECONDS: graceSeconds, SESSION_IDLE_SECONDS: idleSeconds } = settings;
  const found = await sessionRefresh.findRefreshState(db, { sessionId: id, graceSeconds, idleSeconds });
  return found && { ...found, id };
}

/** An access token for the client itself, without a person or a session (RFC 6749 §4.4): with scopes of its resources. */
async function issueOwnToken(call: TokenCall): Promise<Tokens> {
  const { deps, client, body, refuse } = call;
  const known: readonly string[] = OAUTH_SCOPES;
  const own = client.scopes.filter((scope) => !known.includes(scope));
  const scopes = narrowed(call, own);
  if (body.resource !== undefined && !client.resources.includes(body.resource))
    throw refuse('invalid_target');
  const audience = body.resource ?? client.id;
  const signed = await deps.clientTokens.signAccessToken({ clientId: client.id, audience, scopes });
  return answerOf(signed, scopes);
}

/** Those of the granted scopes that are asked for, or all (RFC 6749 §6). What the client may not ask for is ignored. */
function narrowed({ client, body, refuse }: TokenCall, granted: readonly string[]): string[] {
  if (body.scope === undefined) return [...granted];
  const asked = readScopes(body.scope, client);
  if (asked?.every((scope) => granted.includes(scope)) !== true) throw refuse('invalid_scope');
  return asked;
}

/** Signs the tokens of a client session. `scopes`: those of the access token, which may be fewer. */
async function issueTokens(
  { deps: { clientTokens, clientRefreshTokens }, client }: TokenCall,
  session: ClientSession,
  given: { scopes?: readonly string[]; refreshNonce: Buffer; nonce?: string | undefined },
): Promise<Tokens> {
  const { scopes = session.scopes, refreshNonce, nonce } = given;
  const { id: clientSessionId, accountId, sessionId, authenticatedAt, authenticatedBy } = session;
  const endsAt = session.endsAt ?? undefined;
  const signed = await clientTokens.signAccessToken({
    clientId: client.id,
    audience: session.resource ?? client.id,
    scopes,
    account: { accountId, sessionId, clientSessionId },
    endsAt,
  });
  const idToken = scopes.includes('openid')
    ? await clientTokens.signIdToken({
        alg: client.idTokenAlg,
        clientId: clientIdOf(client),
        accountId,
        sessionId,
        nonce,
        authenticatedAt: authenticatedAt === null ? undefined : new Date(authenticatedAt * 1000),
        authenticatedBy,
        endsAt,
        accessToken: signed.token,
        claims: claimsOf(scopes, session),
      })
    : undefined;
  const refreshToken = isRenewable(client, session)
    ? clientRefreshTokens.issue(clientSessionId, refreshNonce)
    : undefined;
  return {
    ...answerOf(signed, scopes),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(idToken !== undefined && { id_token: idToken }),
  };
}

function isRenewable({ grantTypes }: OAuthClient, { scopes }: ClientSession): boolean {
  return grantTypes.includes('refresh_token') && scopes.includes('offline_access');
}

function answerOf(signed: { token: string; expiresInSeconds: number }, scopes: readonly string[]): Tokens {
  const { token, expiresInSeconds } = signed;
  return { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds, scope: scopes.join(' ') };
}
