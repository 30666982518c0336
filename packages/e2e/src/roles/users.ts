import { logIn, newToken } from '@gatehouse/accounts/testing';
import { createBrowserSessions, type BrowserSessions } from '@gatehouse/auth-core';
import { forgedTokens } from '@gatehouse/auth-core/testing';
import type { Caller as Column } from '@gatehouse/codegen';
import { eventually } from '@gatehouse/runtime/testing';
import type { StaticTokenRole } from '@gatehouse/schema';
import type { Services } from '../requests/services.ts';
import type { Owner } from '../requests/objects.ts';
import { newCaller, type Caller } from '../requests/prepared/prepared.ts';

/** A caller: its credentials, its column of the table, and its account. */
export interface Principal {
  name: string;
  as: Column;
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
  const someone = (role: Role) => newCaller(services, role);
  const change = async (id: string, body: object): Promise<void> => {
    const { status, text } = await services.call(`PATCH /admin/account/${id}`, { token: adminToken, body });
    if (status !== 200) throw new Error(`PATCH: ${status} ${text}`);
  };

  const withRole = (name: string, as: Role, from: Role = as) => ({
    name,
    as,
    create: async (): Promise<Principal> => {
      const owner = await someone(from);
      if (from !== as) await change(owner.id, { Role: as });
      return { name, as, headers: bearer(owner.Token), owner };
    },
  });
  const inBrowser = (name: string, as: Role) => ({
    name,
    as,
    create: async (): Promise<Principal> => {
      const owner = await someone(as);
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
      shown('a forged browser session', cookies(FORGED, admin)),
      ...['same-site', 'cross-site', 'none'].map((site) =>
        shown(
          `an administrator’s browser for another page: ${site}`,
          { ...cookies(app.browser.sessions, admin), 'sec-fetch-site': site },
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
  const make = async (name: string, role: StaticTokenRole, as: Column) => ({
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

type Someone = (role: Role) => Promise<Caller>;

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
  const make = (name: string, owner: Caller, code: string): Principal => {
    return { name, as: 'Ended session', headers: bearer(owner.Token), code, owner };
  };
  return [
    make('an administrator whose session was replaced', replaced, 'session_replaced'),
    make('an administrator who was disabled', disabled, 'session_deactivated'),
    {
      ...make('an administrator in a browser whose session was replaced', replaced, 'session_replaced'),
      headers: cookies(app.browser.sessions, replaced),
    },
  ];
}

async function loggedOut(services: Services, someone: Someone): Promise<string> {
  const { Token: token } = await someone('Admin');
  const { status } = await services.call('POST /account/logout', { token, body: {} });
  if (status !== 200) throw new Error(`logout: ${status}`);
  return token;
}

async function revokedToken(services: Services, adminToken: string): Promise<string> {
  const { id, Token: token } = await newToken(services.app, { role: 'Admin' });
  await services.call(`DELETE /admin/api-token/${id}`, { token: adminToken });
  await eventually(async () => (await services.call('GET /admin/audit', { token })).status === 401);
  return token;
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
