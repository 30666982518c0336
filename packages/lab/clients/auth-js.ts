import type { OutgoingHttpHeaders } from 'node:http';
import { ExpressAuth, type ExpressAuthConfig } from '@auth/express';
import type { Request } from 'express';
import { startApp } from './start-app.ts';
import type { StartClient } from './real-client.ts';
import { addTokenRoutes, answering, claimsIn, type Tokens } from './token-routes.ts';

const OURS = 'gatehouse';

/** https://authjs.dev/reference/express */
export const authJs: StartClient = (provider) =>
  startApp(
    provider,
    { callbackPath: `/auth/callback/${OURS}` },
    (app, { origin, clientId, clientSecret }) => {
      const kept = new Map<string, Tokens>();
      const config: ExpressAuthConfig = {
        secret: 'a secret of the application, long enough',
        trustHost: true,
        providers: [
          {
            id: OURS,
            name: 'Gatehouse',
            type: 'oidc',
            issuer: provider.issuer,
            clientId,
            clientSecret,
            checks: ['pkce', 'state', 'nonce'],
            authorization: { params: { scope: 'openid email offline_access' } },
          },
        ],
        callbacks: {
          jwt: ({ token, account }) => {
            if (account?.id_token === undefined) return token;
            const sid = String(claimsIn(account.id_token)['sid']);
            const {
              id_token: idToken,
              access_token: accessToken = '',
              refresh_token: refreshToken = '',
            } = account;
            kept.set(sid, { idToken, accessToken, refreshToken });
            return { ...token, sid };
          },
          session: ({ session, token }) => ({ ...session, sid: token['sid'] }),
        },
      };
      const sessionOf = async ({ headers: { cookie = '' } }: Request) =>
        (await (await fetch(`${origin}/auth/session`, { headers: { cookie } })).json()) as {
          user?: { email: string };
          sid?: string;
        } | null;

      // The library finds the folder of its routes by the first group.
      app.use(/^\/auth\/(.*)/, ExpressAuth(config));
      app.get('/login', (_request, response, next) => {
        submitForm(origin).then((headers) => response.writeHead(302, headers).end(), next);
      });
      app.get(
        '/me',
        answering(async (request) => {
          const session = await sessionOf(request);
          return { email: session?.user?.email, sid: session?.sid };
        }),
      );
      addTokenRoutes(app, provider, { origin, clientId, clientSecret }, async (request) => {
        const tokens = kept.get((await sessionOf(request))?.sid ?? '');
        if (tokens === undefined) throw new Error('nobody is signed in');
        return tokens;
      });
      app.get('/', (_request, response) => void response.end('home'));
    },
  );

/** What the browser gets that submits the form of the application. */
async function submitForm(origin: string): Promise<OutgoingHttpHeaders> {
  const form = await fetch(`${origin}/auth/csrf`);
  const { csrfToken } = (await form.json()) as { csrfToken: string };
  const cookies = form.headers.getSetCookie();
  const submitted = await fetch(`${origin}/auth/signin/${OURS}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
    body: new URLSearchParams({ csrfToken, callbackUrl: `${origin}/me` }),
  });
  const location = submitted.headers.get('location') ?? '/';
  return { location, 'set-cookie': [...cookies, ...submitted.headers.getSetCookie()] };
}
