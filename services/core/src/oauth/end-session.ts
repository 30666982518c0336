import { logout } from '@gatehouse/accounts';
import { oauthClients, type OAuthClient } from '@gatehouse/db';
import { browserCookieOf, browserSiteForLogin, reply, signedOutHeaders } from '@gatehouse/http';
import { Enum, Optional, Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { storedIdOf } from './agents/find-agent.ts';
import { readParameters } from './authorization-request.ts';

export const endSession = route('POST /oauth/end-session', {
  operationId: 'endSession',
  tag: 'Applications',
  summary: 'Sign out at the request of an app',
  description:
    'For the page `/oauth/logout`, to which apps send browsers (OpenID Connect RP-Initiated Logout 1.0). Ends the ' +
    'session of the cookie if the `id_token_hint` is for it, or if the user has confirmed it.',
  access: 'public',
  body: Type.Object({
    Request: Type.String({ maxLength: 16_384, description: 'The query of the page, without the `?`' }),
    Confirmed: Optional.Boolean({ description: 'Whether the user has agreed' }),
  }),
  response: Type.Object({
    Kind: Enum(['Ask', 'SignedOut', 'Refused']),
    Client: Type.Optional(Type.Object({ Name: Type.String() }, { title: 'AskingClient' })),
    Location: Optional.String({ description: 'Where the browser goes on' }),
    Code: Optional.String({ description: '`Refused`: why, such as `redirect_uri_mismatch`' }),
  }),
  headers: {
    response: {
      'Set-Cookie': 'Removes the session cookie, if the session was ended',
      'Clear-Site-Data': 'Clears what the browser has cached, in the same case',
    },
  },
  errors: ['cross_site'],
  handler: async ({ body, deps, request }) => {
    const site = browserSiteForLogin(deps.browser.sites, 'pages', request);
    const cookie = browserCookieOf(request, [site]);
    const asked = await readRequest(deps, body.Request);
    if ('refused' in asked) return { Kind: 'Refused' as const, Code: asked.refused };
    const { client, location } = asked;
    const done = { Kind: 'SignedOut' as const, ...(location !== undefined && { Location: location }) };
    const caller = cookie && (await deps.authenticate(undefined, cookie, request.address));
    if (caller?.kind !== 'session') return done;
    // Otherwise any link could sign somebody out.
    if (body.Confirmed !== true && asked.sessionId !== caller.sessionId)
      return { Kind: 'Ask' as const, ...(client && { Client: { Name: client.name } }) };
    request.addToLog({ accountId: caller.accountId, sessionId: caller.sessionId });
    await logout(deps, caller, request);
    return reply({ headers: signedOutHeaders(site), body: done });
  },
});

interface Asked {
  client: OAuthClient | undefined;
  /** The session of the ID token that the app has shown. */
  sessionId: string | undefined;
  location: string | undefined;
}

/** Reads what an app asks for. An address to return to must be registered for it, in exactly this spelling. */
async function readRequest(
  deps: Pick<Deps, 'db' | 'clientTokens' | 'agents'>,
  query: string,
): Promise<Asked | { refused: string }> {
  const { db, clientTokens } = deps;
  const said = readParameters(query);
  if (said === undefined || PARAMETERS.some((name) => said.repeated.has(name)))
    return { refused: 'invalid_request' };
  const [hint, clientId, address, state] = PARAMETERS.map((name) => said.values.get(name));
  const shown = hint === undefined ? undefined : await clientTokens.readIdTokenHint(hint);
  if (hint !== undefined && shown === undefined) return { refused: 'invalid_id_token_hint' };
  const id = clientId ?? shown?.clientId;
  if (shown !== undefined && id !== shown.clientId) return { refused: 'invalid_id_token_hint' };
  const storedId = id === undefined ? undefined : storedIdOf(deps, id);
  const client = storedId === undefined ? undefined : await oauthClients.find(db, storedId);
  if (clientId !== undefined && client === undefined) return { refused: 'unknown_client' };
  const found = { client, sessionId: shown?.about?.sessionId };
  if (address === undefined) return { ...found, location: undefined };
  if (client?.postLogoutRedirectUris.includes(address) !== true) return { refused: 'redirect_uri_mismatch' };
  // Appended as text, because parsing would spell a query of its own anew.
  const answer =
    state === undefined ? '' : `${address.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
  return { ...found, location: `${address}${answer}` };
}

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;
