import { logIn, newAccount, newToken } from '@gatehouse/accounts/testing';
import { createBrowserSessions, type BrowserSessions } from '@gatehouse/auth-core';
import { forgedTokens } from '@gatehouse/auth-core/testing';
import type { Caller } from '@gatehouse/codegen';
import { eventually } from '@gatehouse/runtime/testing';
import type { StaticTokenRole } from '@gatehouse/schema';
import type { Services } from '../requests/services.ts';
import type { Owner } from '../requests/objects.ts';

/** A caller: its credentials, its column of the table, and its account. */
export interface Principal {
  name: string;
  as: Caller;
  headers: Record<string, string>;
  /** Appended to the path. */
  query?: string;
  /** The error code if the role is not the reason for the refusal. */
  code?: string;
  owner?: Owner;
  /** Whether they send the cookies of a browser. */
  isInBrowser?: true;
}

type Role = 'Guest' | 'User' | 'Admin';

/** Creates principals. `adminToken` is an administrator's access token. */
export function createPrincipals(services: Services, adminToken: string) {
  const { app } = services;
  const someone = async (role: Role) => {
    const person = await newAccount(app, { role });
    const session = await logIn(app, person);
    return { id: person.id, ...session, owner: { id: person.id, sessionId: session.sessionId } };
  };
  const change = async (id: string, body: object): Promise<void> => {
    const path = `/admin/account/${id}`;
    const answer = await services.send('Admin', { method: 'PATCH', path, headers: bearer(adminToken), body });
    if (answer.status !== 200) throw new Error(`PATCH ${path}: ${answer.status} ${answer.text}`);
  };

  const withRole = (name: string, as: Role, from: Role = as) => ({
    name,
    as,
    create: async (): Promise<Principal> => {
      const { id, Token, owner } = await someone(from);
      if (from !== as) await change(id, { Role: as });
      return { name, as, headers: bearer(Token), owner };
    },
  });
  const inBrowser = (name: string, as: Role) => ({
    name,
    as,
    create: async (): Promise<Principal> => {
      const { owner } = await someone(as);
      return { name, as, headers: cookies(app.browser.sessions, owner), owner, isInBrowser: true };
    },
  });
  /** Principals whose token gives the current rights of their role. Each `create` creates another one. */
  const users = [
    withRole('a guest', 'Guest'),
    withRole('a user', 'User'),
    withRole('an administrator', 'Admin'),
    withRole('a demoted administrator with the older token', 'User', 'Admin'),
    withRole('a promoted user with the older token', 'Admin', 'User'),
    inBrowser('a user in a browser', 'User'),
    inBrowser('an administrator in a browser', 'Admin'),
  ];

  return { users, tokens: () => tokens(services), ended: () => ended(services, someone, change), nobodies };

  /** Principals without valid credentials. */
  async function nobodies(): Promise<Principal[]> {
    const admin = await someone('Admin');
    const { invalid, expired } = forgedTokens(admin.Token, app.settings.SIGNING_KEYS ?? '');
    const over = expired.slice(0, 1);
    // Only a few of all forged tokens. The tests of packages/auth-core try all of them.
    const forged = invalid.filter((_, at) => at % 60 === 0);
    const shown = (name: string, headers: Record<string, string>, code = 'token_invalid', query = '') =>
      ({ name, as: 'Nobody', headers, code, query }) as const;
    return [
      shown('nobody', {}, 'token_missing'),
      shown('an administrator in the query', {}, 'token_missing', `access_token=${admin.Token}`),
      shown('an administrator in a cookie', { cookie: `Token=${admin.Token}` }, 'token_missing'),
      shown('an administrator by Basic', { authorization: `Basic ${admin.Token}` }),
      shown('an access token in the place of a browser session', {
        cookie: `__Host-gatehouse=${admin.Token}; __Host-gatehouse-console=${admin.Token}`,
        'sec-fetch-site': 'same-origin',
      }),
      shown('a forged browser session', cookies(FORGED, admin.owner)),
      ...['same-site', 'cross-site', 'none'].map((site) =>
        shown(
          `an administrator’s browser for another page: ${site}`,
          { ...cookies(app.browser.sessions, admin.owner), 'sec-fetch-site': site },
          'cross_site',
        ),
      ),
      shown('a refresh token', bearer(admin.RefreshToken)),
      shown('garbage', bearer('garbage')),
      ...over.map(({ name, token }) => shown(`an expired token: ${name}`, bearer(token), 'token_expired')),
      ...forged.map(({ name, token }) =>
        shown(`a forged token: ${name}`, { authorization: `Bearer ${token}` }),
      ),
      shown('a revoked Admin token', bearer(await revokedToken(services, adminToken))),
      shown('an administrator who logged out', bearer(await loggedOut(services, someone)), 'session_ended'),
    ];
  }
}

/** Principals with static tokens. */
async function tokens({ app }: Services): Promise<Principal[]> {
  const make = async (name: string, role: StaticTokenRole, as: Caller) => ({
    name,
    as,
    headers: bearer((await newToken(app, { role })).Token),
  });
  return [
    await make('a static token', 'Service', 'Service token'),
    await make('a static token that may only check tokens', 'Feed', 'Feed token'),
    await make('a static token of the role Admin', 'Admin', 'Admin token'),
  ];
}

type Someone = (role: Role) => Promise<{ id: string; Token: string; owner: Owner }>;

/** Administrators whose sessions were ended by others. */
async function ended(
  { app }: Services,
  someone: Someone,
  change: (id: string, body: object) => Promise<void>,
): Promise<Principal[]> {
  const replaced = await someone('Admin');
  await logIn(app, replaced);
  const disabled = await someone('Admin');
  await change(disabled.id, { IsDisabled: true });
  const make = (
    name: string,
    { Token, owner }: { Token: string; owner: Owner },
    code: string,
  ): Principal => ({ name, as: 'Ended session', headers: bearer(Token), code, owner });
  return [
    make('an administrator whose session was replaced', replaced, 'session_replaced'),
    make('an administrator who was disabled', disabled, 'session_deactivated'),
    {
      ...make('an administrator in a browser whose session was replaced', replaced, 'session_replaced'),
      headers: cookies(app.browser.sessions, replaced.owner),
    },
  ];
}

async function loggedOut(services: Services, someone: Someone): Promise<string> {
  const { Token } = await someone('Admin');
  const call = { method: 'POST', path: '/account/logout', headers: bearer(Token), body: {} };
  const { status } = await services.send('Core', call);
  if (status !== 200) throw new Error(`logout: ${status}`);
  return Token;
}

async function revokedToken(services: Services, adminToken: string): Promise<string> {
  const { id, Token } = await newToken(services.app, { role: 'Admin' });
  const path = `/admin/api-token/${id}`;
  await services.send('Admin', { method: 'DELETE', path, headers: bearer(adminToken) });
  await eventually(async () => {
    const call = { method: 'GET', path: '/admin/audit', headers: bearer(Token) };
    return (await services.send('Admin', call)).status === 401;
  });
  return Token;
}

/** The headers that a browser sends with its session to our own pages, of any service. */
export function cookies(sessions: Pick<BrowserSessions, 'issue'>, { id: accountId, sessionId }: Owner) {
  const [pages, ofConsole] = (['pages', 'console'] as const).map((purpose) =>
    sessions.issue(purpose, { accountId, sessionId }),
  );
  const cookie = `__Host-gatehouse=${pages}; __Host-gatehouse-console=${ofConsole}`;
  return { cookie, 'sec-fetch-site': 'same-origin' };
}

/** Signed with foreign keys. */
const FORGED = createBrowserSessions({
  pages: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
  console: [Buffer.alloc(32, 3)],
});

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
