import { createHash } from 'node:crypto';
import {
  endOfCredential,
  hashInvitationToken,
  newInvitationToken,
  type ClientTokens,
  type Credential,
} from '@gatehouse/auth-core';
import {
  accounts,
  audit,
  inTransaction,
  oauthClients,
  oauthCodes,
  oauthConsents,
  signedIn,
  type OAuthClient,
  type SignedIn,
} from '@gatehouse/db';
import type { Throttled } from '../checks/attempts.ts';
import { countAuthorization } from '../checks/request-limits.ts';
import type { AccountsDeps, Origin } from '../deps.ts';
import { ownSession } from '../session/confirmation/proves-freshly.ts';
import {
  readAuthorizationRequest,
  type AddressRefusal,
  type AuthorizationError,
  type AuthorizationRequest,
  type ReturnAddress,
} from './read-authorization-request.ts';
import { isOnDevice, redirectTo } from './redirect-uri.ts';

/** How the hosted page goes on with an authorization request. */
export type Authorization =
  | { kind: 'redirect'; location: string; error?: AuthorizationError }
  | Login
  | Question
  | Throttled
  | { kind: 'refused'; code: AddressRefusal };

/**
 * The user logs in first. `confirms`: the browser's session stays, and its owner proves again who they are. `since` is when
 * this was asked, in epoch seconds: what is proved later counts.
 */
export type Login = {
  kind: 'login';
  confirms: boolean;
  loginHint: string | undefined;
  sessionTag: string | undefined;
  since: number;
};

/** The user is asked for consent. `consentTo` stands for the session, the client and the scopes that are shown. */
interface Question {
  kind: 'consent';
  client: OAuthClient;
  scopes: string[];
  email: string;
  since: number;
  consentTo: string;
}

export interface ShownRequest {
  /** The query string with which the page was opened. */
  query: string;
  /** The browser's session, if it is active. */
  session: ({ accountId: string; sessionId: string } & Credential) | undefined;
  /** What the user answered on the consent page. */
  consent: 'granted' | 'denied' | undefined;
  /** The `consentTo` of the question that was answered. */
  consentTo: string | undefined;
  /** The `since` of the page's first answer to this request. */
  since: number | undefined;
}

type Deps = Pick<AccountsDeps, 'authorizations' | 'db' | 'sessionCache' | 'now'> & {
  clientTokens: ClientTokens;
  /** The issuer, as the client knows us. */
  issuer: string;
};

/** How long a code can be exchanged. */
const CODE_SECONDS = 60;
/** Where nobody is signed in, the database, which notes the time of the login, is not asked for the time. */
const CLOCKS_APART_SECONDS = 30;

/**
 * Decides about an authorization request in a browser (OpenID Connect Core §3.1.2): back to the client with a code or an
 * error, to the login, or to the question whether the client may have what it asks for. `since` is of the user's browser,
 * which could as well leave `prompt` out: a client that depends on it checks `auth_time`.
 */
export async function authorize(deps: Deps, shown: ShownRequest, origin: Origin): Promise<Authorization> {
  const read = await readAuthorizationRequest(deps, shown.query);
  if (read.kind === 'refused') return read;
  if (read.kind === 'error') return failed(deps, read, read.error, read.description);
  const { request } = read;
  const { client, prompts, loginHint } = request;
  const isSilent = prompts.has('none');

  const hint = request.idTokenHint === undefined ? undefined : await readHint(deps, request);
  if (hint === null) return failed(deps, request, 'invalid_request', 'id_token_hint is not valid');
  const own = shown.session && (await signedIn.find(deps.db, ownSession(shown.session)));
  const now = own?.now ?? deps.now() / 1000 - CLOCKS_APART_SECONDS;
  const since = Math.min(shown.since ?? now, now);
  const login = { kind: 'login', loginHint, sessionTag: client.sessionTag ?? undefined, since } as const;
  if (shown.session === undefined || own === undefined) {
    return isSilent ? failed(deps, request, 'login_required') : { ...login, confirms: false };
  }
  // Another account is signed in than the one that the client means.
  if (hint?.about !== undefined && hint.about.accountId !== own.accountId)
    return failed(deps, request, 'login_required');
  if (!isLetIn(client, own)) return failed(deps, request, 'access_denied');
  if (!isProved(request, own, since)) {
    return isSilent ? failed(deps, request, 'login_required') : { ...login, confirms: true };
  }

  if (shown.consent === 'denied') return failed(deps, request, 'access_denied');
  const consentTo = digestOf(request, own);
  // Somebody else has signed in since the question was shown, or it was another one.
  const isOutdated = shown.consentTo !== undefined && shown.consentTo !== consentTo;
  // Whom the client means is not known any more: the page shows whose account it is.
  const isUnsure = hint !== undefined && hint.about === undefined;
  if (isOutdated || (shown.consent === undefined && (isUnsure || (await asks(deps, request, own))))) {
    if (isSilent) return failed(deps, request, 'consent_required');
    return { kind: 'consent', client, scopes: request.scopes, email: own.email, since, consentTo };
  }
  const limited = await countAuthorization(deps, own.accountId);
  if (limited !== undefined) return limited;
  const isGranted = shown.consent === 'granted' && !client.isTrusted;
  const endsAt = endOfCredential(shown.session) ?? null;
  const code = await issueCode(deps, request, own, { isGranted, endsAt }, origin);
  if (code === undefined) return { ...login, confirms: false };
  await deps.sessionCache.keepAlive(own.accountId, own.sessionId);
  return { kind: 'redirect', location: answerTo(deps, request, { code }) };
}

/** The session that an ID token was about; `null` if it is not this client's. */
async function readHint({ clientTokens }: Deps, { client, idTokenHint = '' }: AuthorizationRequest) {
  const hint = await clientTokens.readIdTokenHint(idTokenHint);
  return hint?.clientId === client.id ? hint : null;
}

function isLetIn({ roles, groups }: OAuthClient, { role, groups: own }: SignedIn): boolean {
  return roles.includes(role) && (groups.length === 0 || groups.some((group) => own.includes(group)));
}

/** Whether the owner of the session has proved who they are in this browser, as recently as the client asks. */
function isProved(
  { prompts, maxAgeSeconds }: AuthorizationRequest,
  { authenticatedAt, authenticatedBy, now }: SignedIn,
  since: number,
): boolean {
  if (authenticatedBy === null) return false;
  const provedAt = authenticatedAt ?? -Infinity;
  if (prompts.has('login') && provedAt < since) return false;
  // What was proved for this request counts, however long the user takes to answer.
  return maxAgeSeconds === undefined || provedAt >= Math.min(since, now - maxAgeSeconds);
}

function digestOf({ client, scopes }: AuthorizationRequest, { sessionId }: SignedIn): string {
  return createHash('sha256')
    .update([sessionId, client.id, ...scopes].join(' '))
    .digest('base64url');
}

/** Whether the user is asked before the client gets a code. */
async function asks(
  { db }: Deps,
  { client, prompts, scopes, redirectUri }: AuthorizationRequest,
  { accountId }: SignedIn,
): Promise<boolean> {
  if (prompts.has('select_account')) return true;
  // Any program on the device can pretend to be this client (RFC 8252 §8.6): its user notices the question.
  if (client.isPublic && isOnDevice(redirectUri)) return true;
  if (client.isTrusted) return false;
  if (prompts.has('consent')) return true;
  const granted = await oauthConsents.findScopes(db, { accountId, clientId: client.id });
  return !scopes.every((scope) => granted.includes(scope));
}

/**
 * Stores a code for the session, with the consent that was just given; `undefined` if the session has ended, or the client
 * was deleted.
 */
async function issueCode(
  { db }: Deps,
  { client, redirectUri, scopes, codeChallenge, nonce, resource }: AuthorizationRequest,
  { accountId, sessionId, authenticatedAt, authenticatedBy }: SignedIn,
  { isGranted, endsAt }: { isGranted: boolean; endsAt: number | null },
  origin: Origin,
): Promise<string | undefined> {
  const code = newInvitationToken();
  const whose = { clientId: client.id, accountId };
  return inTransaction<string | undefined>(db, origin, async (tx, rollBack) => {
    await accounts.lockById(tx, accountId);
    if (!(await oauthClients.hold(tx, { ...whose, sessionId }))) return undefined;
    if (isGranted && (await oauthConsents.grant(tx, { ...whose, scopes }))) {
      const actor = { kind: 'Account', id: accountId } as const;
      const target = { kind: 'OauthClient', id: client.id } as const;
      await audit.append(
        tx,
        [{ action: 'consent.granted', actor, target, details: { Scopes: scopes } }],
        origin,
      );
    }
    const isStored = await oauthCodes.insert(tx, {
      ...whose,
      codeHash: hashInvitationToken(code),
      sessionId,
      redirectUri,
      codeChallenge: codeChallenge ?? null,
      nonce: nonce ?? null,
      scopes,
      resource: resource ?? null,
      ...{ authenticatedAt, authenticatedBy, endsAt },
      lifetimeSeconds: CODE_SECONDS,
    });
    return isStored ? code : rollBack(undefined);
  });
}

function failed(
  deps: Deps,
  address: ReturnAddress,
  error: AuthorizationError,
  description?: string,
): Authorization {
  const location = answerTo(deps, address, { error, error_description: description });
  return { kind: 'redirect', location, error };
}

/** The redirect URI with an answer. It always names the issuer, against mix-ups of providers (RFC 9207). */
function answerTo(
  { issuer }: Deps,
  { redirectUri, state }: ReturnAddress,
  answer: Record<string, string | undefined>,
): string {
  return redirectTo(redirectUri, { ...answer, state, iss: issuer });
}
