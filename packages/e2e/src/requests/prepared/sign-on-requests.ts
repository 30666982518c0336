import { createHash, randomBytes } from 'node:crypto';
import { codeBySso, openSession } from '@gatehouse/accounts';
import { accounts, BY_PASSWORD } from '@gatehouse/db';
import type { Services } from '../services.ts';
import { reachCallback } from '../reach-callback.ts';
import type { Prepared, LoggedInUser } from './prepared.ts';

/** Prepares a request of a new user; `tell` returns its parts for this user. */
type About = (tell: (user: LoggedInUser) => Promise<Omit<Prepared, 'user'>>) => () => Promise<Prepared>;
/** Sends a request as this caller, before the prepared one. */
type Ask = (
  api: 'Core' | 'Portal' | 'Admin',
  path: string,
  body: object,
  by?: LoggedInUser,
) => Promise<Record<string, unknown>>;

/** Bodies of single sign-on requests, with values from a previous sign-on. */
export function signOnBodies(
  services: Services,
  provider: string,
  { about, ask, logoutToken }: { about: About; ask: Ask; logoutToken: (claims: object) => string },
): Record<string, Record<string, () => Promise<Prepared>>> {
  return {
    'POST /account/identity/{provider}': {
      plainly: about(() => Promise.resolve({ path: `/account/identity/${provider}` })),
    },
    'POST /account/identity': {
      plainly: about(async (one) => {
        const { Url } = await ask('Core', `/account/identity/${provider}`, {}, one);
        const sent = await reachCallback(services, provider, new URL(String(Url)).search);
        const { headers } = await services.send('Admin', sent);
        return { body: { IdentityCode: /#IdentityCode=([^&]+)/.exec(String(headers['location']))?.[1] } };
      }),
    },
    'POST /auth/{provider}/backchannel-logout': {
      plainly: about(() => {
        const exp = Math.floor(Date.now() / 1000) + 600;
        const form = new URLSearchParams({ logout_token: logoutToken({ sub: 'somebody', exp }) });
        return Promise.resolve({ path: `/auth/${provider}/backchannel-logout`, body: form.toString() });
      }),
    },
    'POST /api/auth/{provider}/exchange': {
      plainly: about(async (one) => {
        const codeVerifier = randomBytes(32).toString('base64url');
        const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
        const code = await signOnCodeOf(services, provider, one, codeChallenge);
        return { path: `/api/auth/${provider}/exchange`, body: { code, codeVerifier } };
      }),
    },
    'POST /api/auth/{provider}/renew': {
      plainly: about(async ({ id }) => {
        const refreshToken = await refreshTokenOf(services, provider, id);
        return { path: `/api/auth/${provider}/renew`, body: { refreshToken } };
      }),
    },
  };
}

/** The code of a sign-on that an app may exchange with the verifier of this challenge. */
async function signOnCodeOf(
  { app }: Services,
  provider: string,
  { id, email }: LoggedInUser,
  codeChallenge: string,
): Promise<string> {
  const kept = await codeBySso(
    app,
    {
      id: provider,
      trustEmail: true,
      allowedDomains: [],
      provisioning: 'off',
      trustSecondFactor: false,
    },
    {
      issuer: 'https://login.example.com',
      subject: id,
      email,
      isEmailVerified: true,
      displayName: undefined,
      expiresAtSeconds: Math.floor(Date.now() / 1000) + 600,
    },
    { purpose: 'app', codeChallenge },
    { traceId: '0', dueAt: Infinity },
  );
  if (kept.kind !== 'kept') throw new Error('the sign-on was refused');
  return kept.code;
}

/** The refresh token of a session that a sign-on has opened. */
async function refreshTokenOf({ app }: Services, provider: string, id: string): Promise<string> {
  const account = await accounts.findById(app.db, id);
  if (account === undefined) throw new Error('there is no such account');
  const origin = { traceId: '0', dueAt: Infinity, authentication: BY_PASSWORD, ssoProvider: provider };
  const opening = await openSession(app, account, origin);
  if (opening.kind !== 'opened') throw new Error('no session opens');
  return opening.tokens.RefreshToken;
}
