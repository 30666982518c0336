import { createHash } from 'node:crypto';
import { asOwner, confirmSession, ownSession, takeShare, write } from '@gatehouse/accounts';
import { endOfCredential, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, clientDocuments, oauthClients, type OAuthClient } from '@gatehouse/db';
import { browserCookieOf, browserSiteForLogin, refuseCrossSite, tooManyFailures } from '@gatehouse/http';
import type { RequestFacts } from '@gatehouse/http';
import { Enum, isOnDevice, Optional, Type, type Static } from '@gatehouse/schema';
import { route, type Call, type Deps } from '../deps.ts';
import { clientIdOf, findClient } from './agents/find-agent.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody, proofError, readOwnerProof } from '../owner-proof.ts';
import type { ProofError } from '../owner-proof.ts';
import { readAuthorizationRequest, redirectTo } from './authorization-request.ts';
import type { AuthorizationError, AuthorizationRequest, ReturnAddress } from './authorization-request.ts';
import { findConsent, findSignedIn, grantConsent, insertCode, type SignedIn } from './store.ts';

const AuthorizationAnswer = Type.Object(
  {
    Kind: Enum(['Redirect', 'Post', 'Login', 'Consent', 'Refused']),
    Location: Optional.String({
      description: '`Redirect`: where the browser goes; `Post`: where it posts the fields to',
    }),
    Fields: Type.Optional(
      Type.Object(
        {
          code: Optional.String(),
          error: Optional.String(),
          error_description: Optional.String(),
          state: Optional.String(),
          iss: Type.String(),
        },
        { title: 'AuthorizationResponse', description: '`Post`: with `response_mode=form_post`' },
      ),
    ),
    Prompt: Type.Optional(
      Enum(['Confirm'], {
        description: '`Login`: the session stays, and its owner confirms their identity with a proof',
      }),
    ),
    LoginHint: Optional.String({ description: '`Login`: the email that the application expects' }),
    SessionTag: Optional.String({ description: '`Login`: the tag of the session to open' }),
    Client: Type.Optional(
      Type.Object(
        {
          Name: Type.String({ description: 'The name of the application' }),
          Host: Optional.String({
            description:
              'Whose document says so, which is what the user is asked about; the name is its own claim',
          }),
        },
        { title: 'AuthorizedClient', description: '`Login` and `Consent`: who asks' },
      ),
    ),
    Scopes: Type.Optional(Type.Array(Type.String(), { description: '`Consent`: what it asks for' })),
    Email: Optional.String({ description: '`Consent`: whose account it is' }),
    Outlives: Optional.Boolean({
      description: '`Consent`: whether the sign-in outlives the session (`Grants` of the client)',
    }),
    ConsentTo: Optional.String({
      description: '`Consent`: what the user is asked, to be sent with the answer',
    }),
    Since: Type.Optional(
      Type.Number({ description: 'To be sent with the next call for the same request; epoch seconds' }),
    ),
    Code: Type.Optional(
      Enum(['invalid_request', 'unknown_client', 'redirect_uri_missing', 'redirect_uri_mismatch'], {
        description: '`Refused`: why the user must not be sent back to the application',
      }),
    ),
  },
  { title: 'Authorization' },
);

const Asked = Type.Object({
  Request: Type.String({
    maxLength: 8000,
    description: 'The query string of the page, without the question mark',
    examples: ['client_id=0198f3c2-7d6e-7b1a-9c55-3f0b5a1c2d3e&response_type=code'],
  }),
  Consent: Type.Optional(Enum(['granted', 'denied'], { description: 'What the user has answered' })),
  ConsentTo: Optional.String({
    maxLength: 100,
    description:
      'From the question that the user has answered: if somebody else has signed in since, it is asked again',
  }),
  Since: Type.Optional(Type.Number({ description: 'From the first answer to this request' })),
  ...OwnerProofBody.properties,
});

export const authorizeClient = route('POST /oauth/authorization', {
  operationId: 'authorizeClient',
  tag: 'Applications',
  summary: 'Decide about a sign-in to an application',
  description:
    'For the page `/oauth/authorize`, with the query string that an application opened it with. ' +
    'The session is that of the browser’s cookie; without one, the answer is `Login`.',
  access: 'public',
  body: Asked,
  response: AuthorizationAnswer,
  errors: [...OWNER_PROOF_ERRORS, 'cross_site'],
  handler: async ({ body, ...call }) => {
    const { deps, request } = call;
    const session = await sessionOf(deps, request);
    if (session !== undefined) {
      request.addToLog({ accountId: session.accountId, sessionId: session.sessionId });
      if (hasProof(body)) await confirm(call, body, session);
    }
    const answer = await decide(call, body, session);
    request.addToLog({ authorization: answer.Kind.toLowerCase() });
    return answer;
  },
});

type Session = Awaited<ReturnType<typeof sessionOf>>;

/** The browser's session, if it is active. Only our own pages may act for it. */
export async function sessionOf({ browser, authenticate }: Deps, request: RequestFacts) {
  const site = browserSiteForLogin(browser.sites, 'pages', request);
  const cookie = browserCookieOf(request, [site]);
  if (cookie === undefined) return undefined;
  refuseCrossSite(request, site);
  const caller = await authenticate(undefined, cookie, request.address);
  return caller.kind === 'session' ? caller : undefined;
}

type Body = Static<typeof OwnerProofBody>;

export function hasProof({ Password, TwoFactorCode, PasskeyToken, Credential }: Body) {
  return [Password, TwoFactorCode, PasskeyToken, Credential].some((proof) => proof !== undefined);
}

/** Confirms the owner of the session anew (`prompt=login`, `max_age`, a session that was handed over). */
export async function confirm(
  { deps, request, refuse }: Call<ProofError>,
  body: Body,
  caller: NonNullable<Session>,
): Promise<void> {
  const { password, code, passkey } = readOwnerProof(body, caller, request);
  const { addressGroup } = request;
  const own = { ...ownSession(caller), purpose: 'application', addressGroup } as const;
  const shown =
    passkey !== undefined ? { passkey } : code !== undefined ? { code } : { password: password ?? '' };
  const confirmed = await confirmSession(deps, { ...own, ...shown }, request);
  if (confirmed.kind !== 'confirmed') throw proofError(refuse, confirmed);
}

const CODE_SECONDS = 60;
/** Where nobody is signed in, the database, which notes the time of the login, is not asked for the time. */
const CLOCKS_APART_SECONDS = 30;

/**
 * Decides about an authorization request in a browser (OpenID Connect Core §3.1.2): back to the client with a code or an
 * error, to the login, or to the question whether the client may have what it asks for. `Since` is of the user's browser,
 * which could as well leave `prompt` out: a client that depends on it checks `auth_time`.
 */
async function decide(
  { deps, request: facts, refuse }: Call<'too_many_requests'>,
  asked: Static<typeof Asked>,
  session: Session,
): Promise<Static<typeof AuthorizationAnswer>> {
  const caller = { facts, refuse };
  const read = await readAuthorizationRequest(asked.Request, (id) => findClient(deps, id, caller));
  if (read.kind === 'refused') return { Kind: 'Refused', Code: read.code };
  const failed = (address: ReturnAddress, error: AuthorizationError, description?: string) => {
    facts.addToLog({ problem: error });
    const said = description !== undefined && { error_description: description };
    return redirect(deps, address, { error, ...said });
  };
  if (read.kind === 'error') return failed(read, read.error, read.description);
  const { request } = read;
  const { client, agent, prompts, loginHint } = request;
  const isSilent = prompts.has('none');

  const hint = request.idTokenHint === undefined ? undefined : await readHint(deps, request);
  if (hint === null) return failed(request, 'invalid_request', 'id_token_hint is not valid');
  const own = session && (await findSignedIn(deps.db, ownSession(session)));
  const now = own?.now ?? deps.now() / 1000 - CLOCKS_APART_SECONDS;
  const since = Math.min(asked.Since ?? now, now);
  const login = {
    ...{ Kind: 'Login' as const, Client: { Name: agent?.host ?? client.name }, Since: since },
    ...(loginHint !== undefined && { LoginHint: loginHint }),
    ...(client.sessionTag !== null && client.grants === 'session' && { SessionTag: client.sessionTag }),
  };
  if (session === undefined || own === undefined) return isSilent ? failed(request, 'login_required') : login;
  // Another account is signed in than the one that the client means.
  if (hint?.about !== undefined && hint.about.accountId !== own.accountId)
    return failed(request, 'login_required');
  if (!isLetIn(client, own)) return failed(request, 'access_denied');
  if (!isProved(request, own, since))
    return isSilent ? failed(request, 'login_required') : { ...login, Prompt: 'Confirm' };

  if (asked.Consent === 'denied') return failed(request, 'access_denied');
  const consentTo = digestOf(request, own);
  // Somebody else has signed in since the question was shown, or it was another one.
  const isOutdated = asked.ConsentTo !== undefined && asked.ConsentTo !== consentTo;
  // Whom the client means is not known any more: the page shows whose account it is.
  const isUnsure = hint !== undefined && hint.about === undefined;
  if (isOutdated || (asked.Consent === undefined && (isUnsure || (await asks(deps, request, own))))) {
    if (isSilent) return failed(request, 'consent_required');
    const outlives = client.grants === 'own' && { Outlives: true };
    const question = { Scopes: request.scopes, Email: own.email, ConsentTo: consentTo, ...outlives };
    return { Kind: 'Consent', Client: shownClient(request), ...question, Since: since };
  }
  const limited = await takeShare(deps.authorizations, own.accountId);
  if (limited !== undefined) throw tooManyFailures(refuse, limited);
  const isGranted = asked.Consent === 'granted' && !client.isTrusted;
  const endsAt = endOfCredential(session) ?? null;
  const code = await issueCode(deps, request, own, { isGranted, endsAt }, facts);
  if (code === 'ended') return login;
  if (code === 'full') return failed(request, 'access_denied', 'the account has too many such applications');
  await deps.sessionCache.keepAlive(own.accountId, own.sessionId);
  return redirect(deps, request, code);
}

/** The session that an ID token was about; `null` if it is not this client's. */
async function readHint({ clientTokens }: Deps, { client, idTokenHint = '' }: AuthorizationRequest) {
  const hint = await clientTokens.readIdTokenHint(idTokenHint);
  return hint?.clientId === clientIdOf(client) ? hint : null;
}

/** Who asks: for an application with a document, its host, and the name that it gives itself. */
function shownClient({ client, agent }: AuthorizationRequest) {
  if (agent === undefined) return { Name: client.name };
  return { Name: agent.calledItself ?? agent.host, Host: agent.host };
}

export function isLetIn({ roles, groups }: OAuthClient, { role, groups: own }: SignedIn): boolean {
  return roles.includes(role) && (groups.length === 0 || groups.some((group) => own.includes(group)));
}

/** Whether the owner of the session has proved who they are in this browser, as recently as the client asks. */
function isProved(
  { client, scopes, prompts, maxAgeSeconds }: AuthorizationRequest,
  { authenticatedAt, authenticatedBy, now }: SignedIn,
  since: number,
): boolean {
  if (authenticatedBy === null) return false;
  const provedAt = authenticatedAt ?? -Infinity;
  if (prompts.has('login') && provedAt < since) return false;
  // Whoever has a stolen session says any `since`.
  const asksMuch = client.grants === 'own' && !scopes.every((scope) => RECOGNISING.has(scope));
  if (asksMuch && provedAt < now - FRESH_SECONDS) return false;
  // What was proved for this request counts, however long the user takes to answer.
  return maxAgeSeconds === undefined || provedAt >= Math.min(since, now - maxAgeSeconds);
}

/** How recently the user must have proved who they are for what outlives the session and does more than recognise them. */
export const FRESH_SECONDS = 300;
const RECOGNISING: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

function digestOf({ client, scopes }: AuthorizationRequest, { sessionId }: SignedIn): string {
  const asked = [sessionId, client.id, ...scopes].join(' ');
  return createHash('sha256').update(asked).digest('base64url');
}

async function asks(
  { db }: Deps,
  { client, prompts, scopes, redirectUri }: AuthorizationRequest,
  { accountId }: SignedIn,
): Promise<boolean> {
  if (prompts.has('select_account')) return true;
  // Any program on the device can pretend to be this client (RFC 8252 §8.6): its user notices the question.
  if (client.isPublic && isOnDevice(redirectUri)) return true;
  // Nobody here has looked at what its document says.
  if (client.documentUrl !== null) return true;
  if (client.isTrusted) return false;
  if (prompts.has('consent')) return true;
  const granted = await findConsent(db, { accountId, clientId: client.id });
  return !scopes.every((scope) => granted.includes(scope));
}

type Issued = { code: string } | 'ended' | 'full';

/**
 * Stores a code for the session, with the consent that was just given; `ended` if the session has, or the client was
 * deleted; `full` if the account has let in too many applications that nobody has registered.
 */
async function issueCode(
  deps: Deps,
  { client, redirectUri, scopes, codeChallenge, nonce, resource }: AuthorizationRequest,
  { accountId, sessionId, authenticatedAt, authenticatedBy }: SignedIn,
  { isGranted, endsAt }: { isGranted: boolean; endsAt: number | null },
  origin: RequestFacts,
): Promise<Issued> {
  const code = newInvitationToken();
  const whose = { clientId: client.id, accountId };
  const author = { ...asOwner(accountId, origin), target: { kind: 'OauthClient', id: client.id } as const };
  return write<Issued>(deps, author, async (tx, rollBack) => {
    await accounts.lockById(tx, accountId);
    if (client.documentUrl !== null) {
      const became = await clientDocuments.adopt(tx, client, accountId);
      if (became === 'full') return 'full';
      const { name: Name, documentUrl: DocumentUrl, redirectUris: RedirectUris } = client;
      if (became !== 'same') tx.audit(`client.${became}`, { Name, DocumentUrl, RedirectUris });
    }
    if (!(await oauthClients.hold(tx, { ...whose, sessionId }))) return rollBack('ended');
    if (isGranted && (await grantConsent(tx, { ...whose, scopes })))
      tx.audit('consent.granted', { Scopes: scopes });
    const isStored = await insertCode(tx, {
      ...whose,
      ...{ sessionId, redirectUri, scopes, authenticatedAt, authenticatedBy, endsAt },
      codeHash: hashInvitationToken(code),
      codeChallenge: codeChallenge ?? null,
      nonce: nonce ?? null,
      resource: resource ?? null,
      lifetimeSeconds: CODE_SECONDS,
    });
    return isStored ? { code } : rollBack('ended');
  });
}

/** The way to the client with an answer. It always names the issuer, against mix-ups of providers (RFC 9207). */
function redirect(
  { issuer }: Deps,
  { redirectUri, state, isPosted }: ReturnAddress,
  answer: { code: string } | { error: string; error_description?: string },
): Static<typeof AuthorizationAnswer> {
  const fields = { ...answer, ...(state !== undefined && { state }), iss: issuer };
  if (isPosted) return { Kind: 'Post', Location: redirectUri, Fields: fields };
  return { Kind: 'Redirect', Location: redirectTo(redirectUri, fields) };
}
