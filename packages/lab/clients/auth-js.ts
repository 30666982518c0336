import type { OutgoingHttpHeaders } from 'node:http';
import { ExpressAuth } from '@auth/express';
import { startApp } from './start-app.ts';
import type { StartSignIn } from './real-client.ts';

const OURS = 'gatehouse';

/** https://authjs.dev/reference/express */
export const authJs: StartSignIn = (provider) =>
  startApp(
    provider,
    { callbackPath: `/auth/callback/${OURS}` },
    (app, { origin, clientId, clientSecret }) => {
      // The library finds the folder of its routes by the first group.
      app.use(
        /^\/auth\/(.*)/,
        ExpressAuth({
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
        }),
      );
      app.get('/login', async (_request, response) => {
        response.writeHead(302, await submitForm(origin)).end();
      });
      app.get('/me', async ({ headers: { cookie = '' } }, response) => {
        const session = await fetch(`${origin}/auth/session`, { headers: { cookie } });
        response.json(((await session.json()) as { user?: { email: string } } | null)?.user ?? {});
      });
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
