import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { createClient, type ClientOptions, type GatehouseClient } from 'gatehouse-client';
import { eventually } from '@gatehouse/runtime/testing';
import { addGlobals } from './testing/installation.ts';
import { RETURN_URL, personClaims, useSso } from '../../../../services/admin/src/sso/testing/browser.ts';

const INVALID = { kind: 'refused', code: 'invalid_attempt' };

describe('a sign-on of gatehouse-client', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });
  let auth: GatehouseClient;
  let tab: ReturnType<typeof openTab>;
  const newClient = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: sso.admin.url, adminUrl: sso.admin.url, storage: 'memory', ...options });
  beforeEach(() => {
    tab = openTab();
    auth = newClient();
  });
  afterEach(() => tab.close());

  const returnFromProvider = async (): Promise<Record<string, string>> => {
    await auth.signOn('demo', { returnUrl: RETURN_URL });
    const { pathname, search } = new URL(tab.address());
    assert.equal(pathname, '/auth/demo/login');
    sso.recognise('demo', personClaims(someEmail()));
    return (await sso.browser().signOn('demo', search)).parameters;
  };
  const complete = (parameters: Record<string, string>) => {
    const search = `?tab=1&${new URLSearchParams(parameters).toString()}`;
    return auth.completeSignOn({ pathname: '/signed-in', search, hash: '#top' });
  };

  it('ends with a session, by a code that leaves the address', async () => {
    const parameters = await returnFromProvider();
    assert.deepEqual(Object.keys(parameters).toSorted(), ['authCallback', 'code', 'state']);
    const outcome = await complete(parameters);
    assert.equal(outcome.kind, 'signed-in');
    assert.equal(tab.shown(), '/signed-in?tab=1#top');
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${await auth.token()}`);
    assert.equal(caller.kind, 'session');
    // The tab has no sign-on in progress any more, so its URL is not accepted a second time.
    assert.deepEqual(await complete(parameters), INVALID);
  });

  it('accepts only codes and tokens that this tab has requested', async () => {
    const foreign = await returnFromProvider();
    await auth.signOn('demo');
    assert.deepEqual(await complete(foreign), INVALID);
    await auth.signOn('demo');
    const tokens = { authCallback: 'true', demo_token: 'a.b.c', demo_refresh_token: 'x' };
    assert.deepEqual(await complete(tokens), INVALID);
    await auth.signOn('demo');
    const { state = '' } = Object.fromEntries(new URL(tab.address()).searchParams);
    assert.deepEqual(await complete({ ...tokens, state }), INVALID);
    await auth.signOn('demo');
    assert.deepEqual(await complete({ error: 'account_disabled' }), INVALID);
    assert.equal(tab.shown(), '/signed-in?tab=1#top');
  });

  it('reports why there is no session', async () => {
    await auth.signOn('demo');
    const { state = '' } = Object.fromEntries(new URL(tab.address()).searchParams);
    const refused = { kind: 'refused', code: 'access_denied' };
    assert.deepEqual(await complete({ error: 'access_denied', state }), refused);
  });

  it('ends with tokens from the address where a browser cannot hash', async () => {
    tab.isSecureContext = false;
    const parameters = await returnFromProvider();
    assert.ok(parameters['demo_token']);
    assert.equal((await complete(parameters)).kind, 'signed-in');
    assert.equal(tab.shown(), '/signed-in?tab=1#top');
  });

  it('renews its tokens where the provider’s sessions are renewed', async () => {
    const asked: string[] = [];
    let passedMs = 0;
    auth = newClient({
      now: () => Date.now() + passedMs,
      fetch: (input, init) => {
        asked.push(new URL(input instanceof Request ? input.url : input).pathname);
        return fetch(input, init);
      },
    });
    await complete(await returnFromProvider());
    const first = await auth.token();
    passedMs = sso.admin.app.settings.ACCESS_TOKEN_SECONDS * 1000;
    assert.notEqual(await auth.token(), first);
    assert.deepEqual(asked, ['/api/auth/demo/exchange', '/api/auth/demo/renew']);
  });

  it('whose response arrives after a logout signs nobody in, and leaves no session behind', async () => {
    const asked: string[] = [];
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    auth = newClient({
      fetch: async (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        asked.push(pathname);
        const response = await fetch(input, init);
        if (pathname.endsWith('/exchange')) await answered;
        return response;
      },
    });
    const completing = complete(await returnFromProvider());
    await eventually(() => asked.includes('/api/auth/demo/exchange'));
    await auth.logout();
    answer();
    await assert.rejects(completing, { code: 'superseded' });
    assert.equal(auth.getState().kind, 'signed-out');
    assert.equal(asked.at(-1), '/account/logout');
  });

  it('is ignored if the URL has no parameters of one', async () => {
    await auth.signOn('demo');
    assert.deepEqual(await complete({ state: 'x', code: 'y' }), { kind: 'none' });
    assert.equal(tab.shown(), undefined);
  });
});

function openTab() {
  const kept = new Map<string, string>();
  const seen: { address?: string; shown?: string } = {};
  const world = {
    location: { assign: (url: string) => void (seen.address = url) },
    history: {
      state: null,
      replaceState: (_: unknown, _title: string, url: string) => void (seen.shown = url),
    },
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    },
    isSecureContext: true,
  };
  const close = addGlobals(world);
  return {
    close,
    set isSecureContext(value: boolean) {
      world.isSecureContext = value;
    },
    address: () => seen.address ?? '',
    shown: () => seen.shown,
  };
}
