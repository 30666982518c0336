import assert from 'node:assert/strict';
import { logIn, newAccount, type AccountRef } from '@gatehouse/accounts/testing';
import type { BrowserPurpose } from '@gatehouse/auth-core';
import { during } from '@gatehouse/runtime/testing';
import { startServices } from './requests/services.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;

const CALLS = { Core: '/ping/auth', Portal: '/account/profile', Admin: '/admin/account' };
type Api = keyof typeof CALLS;

describe('a browser session', () => {
  const services = during(() => startServices());
  let person: AccountRef;
  let session: Awaited<ReturnType<typeof logIn>>;
  beforeEach(async () => {
    person = await newAccount(services.app, { role: 'Admin' });
    session = await logIn(services.app, person);
  });

  const valueOf = (purpose: BrowserPurpose) =>
    services.app.browser.sessions.issue(purpose, { accountId: person.id, sessionId: session.sessionId });
  const cookie = (purpose: BrowserPurpose) => `${NAMES[purpose]}=${valueOf(purpose)}`;
  const call = (api: Api, headers: Record<string, string>) => services.call(`GET ${CALLS[api]}`, { headers });
  const answer = async (api: Api, headers: Record<string, string>) => {
    const { status, body } = await call(api, headers);
    return status === 200 ? 200 : `${status} ${String(body['code'])}`;
  };
  const kick = async (): Promise<void> => {
    const body = { SessionId: session.sessionId, Status: 4 };
    const { status } = await services.call('POST /admin/user-session', { token: services.adminToken, body });
    assert.equal(status, 200);
  };

  it('is its account on the services that its purpose is for', async () => {
    const found = (purpose: BrowserPurpose) =>
      Promise.all(
        (['Core', 'Portal', 'Admin'] as const).map((api) =>
          answer(api, { cookie: cookie(purpose), ...SAME_ORIGIN }),
        ),
      );
    assert.deepEqual(await found('pages'), [200, 200, '401 token_missing']);
    assert.deepEqual(await found('console'), [200, '401 token_missing', 200]);
    for (const [purpose, role] of [
      ['pages', 'User'],
      ['console', 'Admin'],
    ] as const) {
      const { headers, body } = await call('Core', { cookie: cookie(purpose), ...SAME_ORIGIN });
      const said = [headers['x-auth-account'], headers['x-auth-session'], headers['x-auth-role'], body];
      assert.deepEqual(said, [person.id, session.sessionId, role, {}]);
    }
  });

  it('is told to the pages that ask whose it is, and that there is none is no error', async () => {
    const visits = async (headers: Record<string, string>) => {
      const asked = { headers: { ...SAME_ORIGIN, ...headers } };
      const { status, body } = await services.call('GET /account/visitor', asked);
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
