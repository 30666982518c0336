import type express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { Strategy, type Profile } from 'passport-openidconnect';
import type { Provider } from './provider.ts';
import type { StartClient } from './real-client.ts';
import { startApp } from './start-app.ts';
import { addTokenRoutes, claimsIn, type Tokens } from './token-routes.ts';

type User = Tokens & { email: string | undefined };

/** https://github.com/jaredhanson/passport-openidconnect, which knows no PKCE: its client is exempt, and sends a nonce. */
export const passportOpenidConnect: StartClient = (provider) =>
  startApp(provider, { RequiresPkce: false }, (app, { origin, clientId, clientSecret }) => {
    const passport = new Passport();
    passport.use(strategyOf(provider, { origin, clientId, clientSecret }));
    passport.serializeUser((user, done) => done(null, user));
    passport.deserializeUser((user: User, done) => done(null, user));

    app.use(session({ secret: 'a secret of the application', resave: false, saveUninitialized: false }));
    app.use(passport.session());
    const signIn = (options: object = {}) =>
      passport.authenticate('openidconnect', options) as express.RequestHandler;
    app.get('/login', signIn());
    app.get('/callback', signIn({ successRedirect: '/me' }));
    app.get('/me', ({ user }, response) => {
      const { email, idToken } = user as User;
      response.json({ ...claimsIn(idToken), email });
    });
    addTokenRoutes(app, provider, { origin, clientId, clientSecret }, ({ user }) => user as User);
    app.get('/', (_request, response) => void response.end('home'));
  });

function strategyOf(
  provider: Provider,
  { origin, clientId, clientSecret }: { origin: string; clientId: string; clientSecret: string },
): Strategy {
  const options = {
    issuer: provider.issuer,
    authorizationURL: `${provider.pages}/oauth/authorize`,
    tokenURL: `${provider.issuer}/oauth/token`,
    userInfoURL: `${provider.issuer}/oauth/userinfo`,
    clientID: clientId,
    clientSecret,
    callbackURL: `${origin}/callback`,
    scope: ['email', 'offline_access'],
    nonce: 'sent',
    skipUserProfile: false,
  };
  return new Strategy(options, verify);
}

// The library counts the parameters.
function verify(
  _issuer: string,
  profile: Profile,
  _context: object,
  idToken: string | object,
  accessToken: string | object,
  refreshToken: string,
  done: (error: null, user: User) => void,
): void {
  done(null, {
    email: profile.emails?.[0]?.value,
    idToken: idToken as string, // the types also allow what the library never gives
    accessToken: accessToken as string,
    refreshToken,
  });
}
