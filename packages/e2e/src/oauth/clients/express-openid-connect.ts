import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import openidConnect from 'express-openid-connect';
import type { Provider, Registration, UserBrowser } from './provider.ts';
import type { RealClient, StartClient } from './real-client.ts';

type Told = Exclude<NonNullable<openidConnect.ConfigParams['backchannelLogout']>, boolean>;
type Store = NonNullable<Told['store']>;

/** What an application shows of somebody who is signed in to it, as JSON. */
interface Shown {
  email?: string;
  sid?: string;
}

/** An application in Express with `/login`, `/me`, `/userinfo`, `/refresh` and `/logout`. */
async function startApp(
  provider: Provider,
  callbackPath: string,
  build: (app: Express, own: Registration & { origin: string }) => void,
): Promise<RealClient> {
  const app = express();
  // Otherwise Express prints the refusals that the tests expect.
  app.set('env', 'test');
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const told = { BackchannelLogoutUri: `${origin}/backchannel-logout` };
  build(app, { origin, ...(await provider.register(origin, `${origin}${callbackPath}`, told)) });
  let current: UserBrowser;
  const read = async (path: string): Promise<Shown> => {
    const { status, text } = await current.visit(`${origin}${path}`, 'nowhere');
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as Shown;
  };
  return {
    signIn: async (browser) => {
      current = browser;
      await browser.visit(`${origin}/login`, 'nowhere');
      const { email, sid } = await read('/me');
      return { email, sessionId: String(sid) };
    },
    isSignedIn: async () => (await read('/me')).sid !== undefined,
    userinfo: async () => (await read('/userinfo')).email,
    refresh: async () => void (await read('/refresh')),
    logOut: async (browser) => {
      await browser.visit(`${origin}/logout`, 'nowhere');
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** https://github.com/auth0/express-openid-connect */
export const expressOpenidConnect: StartClient = (provider) =>
  startApp(provider, '/callback', (app, { origin, clientId, clientSecret }) => {
    app.use(
      openidConnect.auth({
        issuerBaseURL: provider.issuer,
        baseURL: origin,
        clientID: clientId,
        clientSecret,
        secret: 'a secret of the application, long enough',
        authRequired: false,
        idpLogout: true,
        backchannelLogout: { store: createStore() },
        authorizationParams: { response_type: 'code', scope: 'openid email offline_access' },
      }),
    );
    app.get('/', (_request, response) => void response.end('home'));
    app.get('/me', ({ oidc }, response) => void response.json(oidc.idTokenClaims ?? {}));
    app.get('/userinfo', async ({ oidc }, response) => void response.json(await oidc.fetchUserInfo()));
    app.get('/refresh', async ({ oidc }, response) => {
      await oidc.accessToken?.refresh();
      response.json({});
    });
  });

/** What the library asks of a store: that of express-session. */
function createStore(): Store {
  const entries = new Map<string, Parameters<Store['set']>[1]>();
  return {
    get: (id, done) => done(null, entries.get(id)),
    set: (id, entry, done) => {
      entries.set(id, entry);
      done?.();
    },
    destroy: (id, done) => {
      entries.delete(id);
      done?.();
    },
  };
}
