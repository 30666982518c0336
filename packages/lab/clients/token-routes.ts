import type { Express, Request, RequestHandler } from 'express';
import type { Provider, Registration } from './provider.ts';

/** What an application keeps of somebody who has signed in. */
export interface Tokens {
  idToken: string;
  accessToken: string;
  refreshToken: string;
}

/** The routes of an application whose library ends with the sign-in, so that it uses the tokens itself. */
export function addTokenRoutes(
  app: Express,
  provider: Provider,
  { origin, clientId, clientSecret }: Registration & { origin: string },
  tokensOf: (request: Request) => Promise<Tokens> | Tokens,
): void {
  const sent = async (path: string, init: RequestInit): Promise<Record<string, string>> => {
    const answer = await fetch(`${provider.issuer}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (await answer.json()) as Record<string, string>;
  };
  const userinfo = async (request: Request) => {
    const { accessToken } = await tokensOf(request);
    return sent('/oauth/userinfo', { headers: { authorization: `Bearer ${accessToken}` } });
  };
  const refresh = async (request: Request) => {
    const kept = await tokensOf(request);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: kept.refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    });
    const tokens = await sent('/oauth/token', { method: 'POST', body });
    kept.accessToken = tokens['access_token'];
    kept.refreshToken = tokens['refresh_token'];
    return {};
  };
  const logoutUrl = async (request: Request) => {
    const { idToken } = await tokensOf(request);
    const asked = { id_token_hint: idToken, post_logout_redirect_uri: origin };
    return `${provider.pages}/oauth/logout?${new URLSearchParams(asked).toString()}`;
  };
  app.get('/userinfo', answering(userinfo));
  app.get('/refresh', answering(refresh));
  app.get('/logout', (request, response, next) => {
    logoutUrl(request).then((url) => response.redirect(url), next);
  });
}

/** A handler that answers with JSON. */
export function answering(answer: (request: Request) => Promise<object>): RequestHandler {
  return (request, response, next) => {
    answer(request).then((body) => response.json(body), next);
  };
}

/** The claims of an ID token, which the library has checked. */
export function claimsIn(idToken: string): Record<string, unknown> {
  const text = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(text) as Record<string, unknown>;
}
