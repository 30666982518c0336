import type express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { Strategy, type Profile } from 'passport-openidconnect';
import type { StartSignIn } from './real-client.ts';
import { startApp } from './start-app.ts';

/** https://github.com/jaredhanson/passport-openidconnect, which knows no PKCE: its client is exempt, and sends a nonce. */
export const passportOpenidConnect: StartSignIn = (provider) =>
  startApp(provider, { RequiresPkce: false }, (app, { origin, clientId, clientSecret }) => {
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
    const passport = new Passport();
    passport.use(new Strategy(options, verify));
    passport.serializeUser((user, done) => done(null, user));
    passport.deserializeUser((user: object, done) => done(null, user));

    app.use(session({ secret: 'a secret of the application', resave: false, saveUninitialized: false }));
    app.use(passport.session());
    const signIn = (more: object = {}) =>
      passport.authenticate('openidconnect', more) as express.RequestHandler;
    app.get('/login', signIn());
    app.get('/callback', signIn({ successRedirect: '/me' }));
    app.get('/me', ({ user }, response) => void response.json(user));
  });

// The library counts the parameters.
function verify(_issuer: string, profile: Profile, done: (error: null, user: object) => void): void {
  done(null, { email: profile.emails?.[0]?.value });
}
