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
  isInBrowser?: boolean;
}

type Role = 'Guest' | 'User' | 'Admin';

export function createPrincipals(services: Services, adminToken: string) {
  const { app, call } = services;
  const someone = (role: Role) => newCaller(services, role);
  const ask = async (line: string, { token, body }: { token: string; body: object }): Promise<void> => {
    const { status, text } = await call(line, { token, body });
    if (status !== 200) throw new Error(`${line}: ${status} ${text}`);
  };
  const change = (id: string, body: object) => ask(`PATCH /admin/account/${id}`, { token: adminToken, body });
  const inBrowser = (owner: Owner) => cookies(app.browser.sessions, owner);

  const user = (name: string, as: Role, { from = as, isInBrowser = false } = {}) => ({
    create: async (): Promise<Principal> => {
      const owner = await someone(from);
      if (from !== as) await change(owner.id, { Role: as });
      const headers = isInBrowser ? inBrowser(owner) : bearer(owner.Token);
      return { name, as, headers, owner, isInBrowser };
    },
  });
  /** Principals whose token gives the current rights of their role. Each `create` creates another one. */
  const users = [
    user('a guest', 'Guest'),
    user('a user', 'User'),
    user('an administrator', 'Admin'),
    user('a demoted administrator with the older token', 'User', { from: 'Admin' }),
    user('a promoted user with the older token', 'Admin', { from: 'User' }),
    user('a user in a browser', 'User', { isInBrowser: true }),
    user('an administrator in a browser', 'Admin', { isInBrowser: true }),
  ];

  const nobodies = async (): Promise<Principal[]> => {
    const admin = await someone('Admin');
    const { invalid, expired } = forgedTokens(admin.Token, app.settings.SIGNING_KEYS ?? '');
    // Only a few of all forged tokens. The tests of packages/auth-core try all of them.
    const forged = invalid.filter((_, at) => at % 60 === 0);
    const revoked = await newToken(app, { role: 'Admin' });
    await call(`DELETE /admin/api-token/${revoked.id}`, { token: adminToken });
    const audit = async () => (await call('GET /admin/audit', { token: revoked.Token })).status;
    await eventually(async () => (await audit()) === 401);
    const { Token: loggedOut } = await someone('Admin');
    await ask('POST /account/logout', { token: loggedOut, body: {} });
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
      ...['same-site', 'cross-site', 'none'].map((site) => {
        const headers = { ...inBrowser(admin), 'sec-fetch-site': site };
        return shown(`an administrator’s browser for another page: ${site}`, headers, 'cross_site');
      }),
      shown('a refresh token', bearer(admin.RefreshToken)),
      shown('garbage', bearer('garbage')),
      ...expired
        .slice(0, 1)
        .map(({ name, token }) => shown(`an expired token: ${name}`, bearer(token), 'token_expired')),
      ...forged.map(({ name, token }) => shown(`a forged token: ${name}`, bearer(token))),
      shown('a revoked Admin token', bearer(revoked.Token)),
      shown('an administrator who logged out', bearer(loggedOut), 'session_ended'),
    ];
  };

  const tokens = async (): Promise<Principal[]> => {
    const make = async (name: string, role: StaticTokenRole, as: Column) => {
      const { Token } = await newToken(app, { role });
      return { name, as, headers: bearer(Token) };
    };
    return [
      await make('a static token', 'Service', 'Service token'),
      await make('a static token that may only check tokens', 'Feed', 'Feed token'),
      await make('a static token of the role Admin', 'Admin', 'Admin token'),
    ];
  };

  /** Administrators whose sessions were ended by others. */
  const ended = async (): Promise<Principal[]> => {
    const [replaced, disabled] = [await someone('Admin'), await someone('Admin')];
    await logIn(app, replaced);
    await change(disabled.id, { IsDisabled: true });
    const make = (name: string, owner: Caller, code: string, headers = bearer(owner.Token)): Principal => {
      return { name, as: 'Ended session', headers, code, owner };
    };
    const code = 'session_replaced';
    return [
      make('an administrator whose session was replaced', replaced, code),
      make('an administrator who was disabled', disabled, 'session_deactivated'),
      make('an administrator in a browser whose session was replaced', replaced, code, inBrowser(replaced)),
    ];
  };

  return { users, tokens, ended, nobodies };
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

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
