import assert from 'node:assert/strict';
import { logIn, newAccount, type AccountRef } from '@gatehouse/accounts/testing';
import type { BrowserPurpose } from '@gatehouse/auth-core';
import { during } from '@gatehouse/runtime/testing';
import { startServices } from './requests/services.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;

/** One call to each service that requires a login. */
const CALLS = {
  Core: { method: 'GET', path: '/ping/auth' },
  Portal: { method: 'GET', path: '/account/profile' },
  Admin: { method: 'GET', path: '/admin/account' },
} as const;
type Api = keyof typeof CALLS;

describe('a browser session', function () {
  this.timeout(20_000);
  const services = during(() => startServices());
  let adminToken: string;
  let person: AccountRef;
  let session: Awaited<ReturnType<typeof logIn>>;
  before(async () => {
    adminToken = (await logIn(services.app, await newAccount(services.app, { role: 'Admin' }))).Token;
  });
  beforeEach(async () => {
    person = await newAccount(services.app, { role: 'Admin' });
    session = await logIn(services.app, person);
  });

  const valueOf = (purpose: BrowserPurpose) =>
    services.app.browser.sessions.issue(purpose, { accountId: person.id, sessionId: session.sessionId });
  const cookie = (purpose: BrowserPurpose) => `${NAMES[purpose]}=${valueOf(purpose)}`;
  const call = (api: Api, headers: Record<string, string>) => services.send(api, { ...CALLS[api], headers });
  const answer = async (api: Api, headers: Record<string, string>) => {
    const { status, body } = await call(api, headers);
    return status === 200 ? 200 : `${status} ${String(body['code'])}`;
  };
  const kick = async (): Promise<void> => {
    const { status } = await services.send('Admin', {
      method: 'POST',
      path: '/admin/user-session',
      headers: { authorization: `Bearer ${adminToken}` },
      body: { SessionId: session.sessionId, Status: 4 },
    });
    assert.equal(status, 200);
  };

  it('is its account on the services that its purpose is for', async () => {
    const found = async (purpose: BrowserPurpose) => [
      await answer('Core', { cookie: cookie(purpose), ...SAME_ORIGIN }),
      await answer('Portal', { cookie: cookie(purpose), ...SAME_ORIGIN }),
      await answer('Admin', { cookie: cookie(purpose), ...SAME_ORIGIN }),
    ];
    assert.deepEqual(await found('pages'), [200, 200, '401 token_missing']);
    assert.deepEqual(await found('console'), [200, '401 token_missing', 200]);
    for (const [purpose, role] of [
      ['pages', 'User'],
      ['console', 'Admin'],
    ] as const) {
      const { headers, body } = await services.send('Core', {
        ...CALLS.Core,
        headers: { cookie: cookie(purpose), ...SAME_ORIGIN },
      });
      const said = [headers['x-auth-account'], headers['x-auth-session'], headers['x-auth-role'], body];
      assert.deepEqual(said, [person.id, session.sessionId, role, {}]);
    }
  });

  it('is told to the pages that ask whose it is, and that there is none is no error', async () => {
    const visits = async (headers: Record<string, string>) => {
      const { status, body } = await services.send('Portal', {
        method: 'GET',
        path: '/account/visitor',
        headers: { ...SAME_ORIGIN, ...headers },
      });
      return [status, body['code'] ?? (body['Profile'] as { Email: string } | null)?.Email];
    };
    for (const none of [{}, { cookie: cookie('console') }, { authorization: `Bearer ${session.Token}` }])
      assert.deepEqual(await visits(none), [200, undefined]);
    assert.deepEqual(await visits({ cookie: cookie('pages') }), [200, person.email]);
    const another = { cookie: cookie('pages'), 'sec-fetch-site': 'same-site' };
    assert.deepEqual(await visits(another), [403, 'cross_site']);
    assert.deepEqual(await visits({ cookie: `${cookie('pages')}x` }), [401, 'token_invalid']);
    await kick();
    assert.deepEqual(await visits({ cookie: cookie('pages') }), [401, 'session_deactivated']);
  });

  it('is ignored if there is an Authorization header, valid or not', async () => {
    const shown = { cookie: cookie('pages'), ...SAME_ORIGIN };
    assert.equal(await answer('Core', { ...shown, authorization: 'Bearer x' }), '401 token_invalid');
    assert.equal(await answer('Core', { ...shown, authorization: '' }), '401 token_missing');
    const bearer = { authorization: `Bearer ${session.Token}` };
    assert.equal(await answer('Portal', { cookie: cookie('pages'), ...bearer }), 200);
    assert.equal(await answer('Portal', { cookie: `${NAMES.pages}=x`, ...bearer }), 200);
  });

  it('is bound to one session of one account', async () => {
    const { sessions } = services.app.browser;
    const other = await newAccount(services.app);
    for (const accountId of [other.id, session.sessionId]) {
      const value = sessions.issue('pages', { accountId, sessionId: session.sessionId });
      const found = await answer('Core', { cookie: `${NAMES.pages}=${value}`, ...SAME_ORIGIN });
      assert.equal(found, '401 session_ended');
    }
  });
});
