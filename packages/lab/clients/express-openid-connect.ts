import openidConnect from 'express-openid-connect';
import { startApp } from './start-app.ts';
import type { StartClient } from './real-client.ts';

type Told = Exclude<NonNullable<openidConnect.ConfigParams['backchannelLogout']>, boolean>;
type Store = NonNullable<Told['store']>;

/** https://github.com/auth0/express-openid-connect */
export const expressOpenidConnect: StartClient = (provider) =>
  startApp(
    provider,
    { BackchannelLogoutUri: '/backchannel-logout' },
    (app, { origin, clientId, clientSecret }) => {
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
    },
  );

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
