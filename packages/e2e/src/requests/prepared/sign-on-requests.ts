import { openSession } from '@gatehouse/accounts';
import { accounts, BY_PASSWORD } from '@gatehouse/db';
import { codeBySso } from '../../../../../services/admin/src/sso/attempt/sign-on.ts';
import { newPkce } from '../../../../../services/core/src/oauth/testing.ts';
import type { Services } from '../services.ts';
import { reachCallback, type ServicesWithProvider } from '../demo-provider.ts';
import { ask, type Caller, type Prepared } from './prepared.ts';

export function signOnRequests(services: ServicesWithProvider): Prepared {
  const { provider } = services;
  const { id: demo } = provider;
  return {
    'GET /auth/{provider}/login': () => ({ path: `/auth/${demo}/login` }),
    'GET /auth/{provider}/callback': () => reachCallback(services, demo),
    'POST /auth/{provider}/callback': () => ({
      path: `/auth/${demo}/callback`,
      body: new URLSearchParams({ state: 'x', code: 'y' }),
    }),
    'POST /account/identity/{provider}': () => ({ path: `/account/identity/${demo}` }),
    'POST /account/identity': async (caller) => {
      const { Url } = await ask(services, `/account/identity/${demo}`, {}, caller);
      const sent = await reachCallback(services, demo, new URL(String(Url)).search);
      const { headers } = await services.send('Admin', sent);
      return { body: { IdentityCode: /#IdentityCode=([^&]+)/.exec(String(headers['location']))?.[1] } };
    },
    'POST /auth/{provider}/backchannel-logout': () => {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const logout_token = provider.logoutToken({ sub: 'somebody', exp });
      const body = new URLSearchParams({ logout_token });
      return { path: `/auth/${demo}/backchannel-logout`, body };
    },
    'POST /api/auth/{provider}/exchange': async (caller) => {
      const { verifier, asked } = newPkce();
      const code = await signOnCodeOf(services, demo, caller, asked.code_challenge);
      return { path: `/api/auth/${demo}/exchange`, body: { code, codeVerifier: verifier } };
    },
    'POST /api/auth/{provider}/renew': async ({ id }) => ({
      path: `/api/auth/${demo}/renew`,
      body: { refreshToken: (await signOn(services, demo, id)).RefreshToken },
    }),
  };
}

async function signOnCodeOf(
  { app }: Services,
  provider: string,
  { id, email }: Caller,
  codeChallenge: string,
): Promise<string> {
  const rules = { trustEmail: true, allowedDomains: [], trustSecondFactor: false, follow: [] };
  const person = { issuer: 'https://login.example.com', subject: id, email, isEmailVerified: true };
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 600;
  const kept = await codeBySso(
    app,
    { ...rules, id: provider, provisioning: 'off' },
    { ...person, displayName: undefined, expiresAtSeconds },
    { purpose: 'app', codeChallenge },
    { traceId: '0', dueAt: Infinity },
  );
  if (kept.kind !== 'kept') throw new Error('the sign-on was refused');
  return kept.code;
}

export async function signOn({ app }: Services, provider: string, id: string) {
  const account = await accounts.findById(app.db, id);
  if (account === undefined) throw new Error('there is no such account');
  const origin = { traceId: '0', dueAt: Infinity, authentication: BY_PASSWORD, ssoProvider: provider };
  const opening = await openSession(app, account, origin);
  if (opening.kind !== 'opened') throw new Error('no session opens');
  return opening.tokens;
}
