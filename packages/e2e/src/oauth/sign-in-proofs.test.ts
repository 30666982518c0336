import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { logIn, newAccount, newClient, PASSWORD, REDIRECT_URI } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { during, eventually } from '@gatehouse/runtime/testing';
import { startServices, type Services } from '../requests/services.ts';

type Client = Awaited<ReturnType<typeof newClient>>;
type Headers = Record<string, string>;

const NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;

/**
 * What answers a cookie of the account pages with something that can be used later, and why that does not outlive a
 * cookie with an end: it is tried below, the cookie alone does not get it, or it only ends or asks something.
 */
const GIVING: Readonly<Record<string, 'tried' | 'proof' | 'challenge' | 'end'>> = {
  'POST /oauth/authorization': 'tried',
  'POST /account/handover': 'tried',
  'POST /account/logout': 'end',
  'POST /account/two-factor': 'proof',
  'POST /account/recovery-codes': 'proof',
  'POST /account/passkey/options': 'proof',
  'POST /account/passkey': 'challenge',
  'POST /account/passkey/confirmation': 'challenge',
  'POST /account/identity/{provider}': 'proof',
};

describe('what is proved in a sign-in', function () {
  this.timeout(40_000);
  const services = during(() => startServices());
  let client: Client;
  before(async () => {
    client = await newClient(services.app);
  });

  const post = async (api: 'Core' | 'Admin', path: string, headers: Headers, body: object = {}) =>
    services.send(api, { method: 'POST', path, headers, body });
  const cookieOf = (line: unknown): Headers => ({
    cookie: String(line).split(';')[0] ?? '',
    'sec-fetch-site': 'same-origin',
  });
  const issued = (
    purpose: 'pages' | 'console',
    session: Parameters<Services['app']['browser']['sessions']['issue']>[1],
  ) => cookieOf(`${NAMES[purpose]}=${services.app.browser.sessions.issue(purpose, session)}`);
  const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` });
  const handOver = async (from: Headers): Promise<string> =>
    String((await post('Core', '/account/handover', from)).body['Url']).split('#HandoverCode=')[1] ?? '';
  const takeOver = async (HandoverCode: string) => {
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    const { status, headers } = await post('Core', '/account/handover/exchange', sameOrigin, {
      HandoverCode,
    });
    return { status, cookie: cookieOf(headers['set-cookie']) };
  };
  const ask = async (who: Headers, more: Record<string, string> = {}, fields: object = {}, to = client) => {
    const asked = {
      client_id: to.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      nonce: 'n',
      ...more,
    };
    const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256', scope: SCOPE };
    const Request = new URLSearchParams({ ...challenge, ...asked }).toString();
    const { body } = await post('Core', '/oauth/authorization', who, { Request, ...fields });
    const { Location: location } = body;
    const back = typeof location === 'string' ? new URL(location).searchParams : undefined;
    return {
      body,
      kind: back?.get('error') ?? body['Prompt'] ?? body['Kind'],
      code: back?.get('code') ?? '',
    };
  };
  const confirmFor = async (who: Headers, to = client) => {
    const { body } = await ask(who, { prompt: 'login' }, {}, to);
    return ask(who, { prompt: 'login' }, { Since: body['Since'], Password: PASSWORD }, to);
  };
  const token = async (form: Record<string, string>) => {
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    return services.send('Core', { method: 'POST', path: '/oauth/token', headers, body });
  };
  const exchange = (code: string) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER });
  const refresh = (refreshToken: unknown) =>
    token({ grant_type: 'refresh_token', refresh_token: String(refreshToken) });
  const statusOf = async (path: string, headers: Headers, api: 'Core' | 'Admin' = 'Core') =>
    (await services.send(api, { method: 'GET', path, headers })).status;

  const newSession = async (role: 'User' | 'Admin' = 'User') => {
    const person = await newAccount(services.app, { role });
    const session = await logIn(services.app, person);
    const setLogin = (sets: string) =>
      query(services.app.db, `update user_session set ${sets} where id = ?`, [session.sessionId]);
    return { accountId: person.id, setLogin, ...session };
  };

  it('with one credential of a session counts for no other one', async () => {
    const { accountId, sessionId, Token, RefreshToken, setLogin } = await newSession('Admin');
    const renewed = await post('Core', '/account/refresh-token', {}, { RefreshToken });
    const own = { accountId, sessionId };
    const over = { ...own, isHandedOver: true };
    const ending = { ...over, endsAt: Math.floor(Date.now() / 1000) + 600 };
    // A single sign-on, so that tokens are asked for a proof, too; an hour ago.
    await setLogin(`authenticated_at = now() - interval '1 hour', sso_provider = 'some'`);
    const credentials = {
      'a token': bearer(Token),
      'the token after it': bearer(renewed.body['Token']),
      'the cookie of the login': issued('pages', own),
      'a handed-over cookie': issued('pages', over),
      'another one': issued('pages', over),
      'one with an end': issued('pages', ending),
      'another one with that end': issued('pages', ending),
      'the console’s cookie': issued('console', own),
      'a handed-over one of the console': issued('console', ending),
      'another one of the console': issued('console', ending),
    };
    const isOfPages = ({ cookie }: Headers) => cookie?.startsWith(`${NAMES.pages}=`) === true;
    const openFor = async (shown: Headers): Promise<string[]> => {
      const actions = await post('Core', '/account/passkey/options', shown);
      if (isOfPages(shown)) {
        const silent = (await ask(shown, { prompt: 'none', max_age: '300' })).code !== '';
        return [actions.status === 200 ? 'action' : '', silent ? 'application' : ''].filter(Boolean);
      }
      const { body } = await post('Admin', '/admin/api-token', shown, {});
      const isRefused = body['code'] === 'confirmation_required';
      assert.equal(actions.status === 200, !isRefused, 'Core and Admin agree');
      return isRefused ? [] : ['action'];
    };
    const expected: [string, string[]][] = [];
    const found: [string, string[]][] = [];
    for (const [confirmed, by] of Object.entries(credentials)) {
      await query(services.app.db, 'delete from session_confirmation where session_id = ?', [sessionId]);
      if (isOfPages(by)) assert.notEqual((await confirmFor(by)).code, '');
      else {
        const answer = await post('Admin', '/console/session/confirm', by, { Password: PASSWORD });
        assert.equal(answer.status, 204, confirmed);
      }
      for (const [name, shown] of Object.entries(credentials)) {
        const opens = name === confirmed ? [isOfPages(by) ? 'application' : 'action'] : [];
        expected.push([`${confirmed} → ${name}`, opens]);
        found.push([`${confirmed} → ${name}`, await openFor(shown)]);
      }
    }
    assert.deepEqual(found, expected);
  });

  it('in an app is not said of the browser that got its session', async () => {
    const { Token } = await newSession();
    const { cookie } = await takeOver(await handOver(bearer(Token)));
    assert.equal((await ask(cookie)).kind, 'Confirm');
    assert.equal((await ask(cookie, { prompt: 'none' })).kind, 'login_required');
    assert.equal((await ask(cookie, {}, { Consent: 'granted' })).kind, 'Confirm');
    const from = Math.floor(Date.now() / 1000);
    await confirmFor(cookie);
    const { body } = await exchange((await ask(cookie, { prompt: 'none' })).code);
    const { auth_time: at, amr } = claimsIn(body['id_token']);
    assert.ok(Number(at) >= from - 1, `${String(at)} is not before ${from}`);
    assert.deepEqual(amr, ['pwd']);
  });

  it('is what an application is told for good, whatever another one asks for', async () => {
    const { accountId, sessionId, setLogin } = await newSession();
    await setLogin(`authenticated_at = now() - interval '1 hour', authenticated_by = '{passkey}'`);
    const cookie = issued('pages', { accountId, sessionId });
    const first = (await exchange((await ask(cookie)).code)).body;
    const waiting = (await ask(cookie)).code;
    const other = await newClient(services.app);
    assert.notEqual((await confirmFor(cookie, other)).code, '');
    const told = (idToken: unknown) => {
      const { auth_time: at, amr } = claimsIn(idToken);
      return [at, amr];
    };
    const login = told(first['id_token']);
    assert.deepEqual(login[1], ['hwk']);
    assert.deepEqual(told((await refresh(first['refresh_token'])).body['id_token']), login);
    assert.deepEqual(told((await exchange(waiting)).body['id_token']), login);
    // What is signed in to now is told of the later proof, and of nothing that was shown before it.
    const later = told((await exchange((await ask(cookie)).code)).body['id_token']);
    assert.ok(Number(later[0]) > Number(login[0]) + 3000);
    assert.deepEqual(later[1], ['pwd']);
  });

  it('of rows that version 1.0.0 wrote is the login of their session', async () => {
    const { accountId, sessionId } = await newSession();
    const cookie = issued('pages', { accountId, sessionId });
    const { body } = await exchange((await ask(cookie)).code);
    const forget = 'authenticated_at = null, authenticated_by = null, ends_at = null';
    await query(services.app.db, `update client_session set ${forget} where session_id = ?`, [sessionId]);
    const { auth_time: at, amr } = claimsIn((await refresh(body['refresh_token'])).body['id_token']);
    assert.deepEqual([at, amr], [claimsIn(body['id_token'])['auth_time'], ['pwd']]);
    const { code } = await ask(cookie);
    await query(services.app.db, `update oauth_code set ${forget} where session_id = ?`, [sessionId]);
    assert.deepEqual(claimsIn((await exchange(code)).body['id_token'])['amr'], ['pwd']);
  });

  it('opens nothing that outlives a cookie with an end', async () => {
    assert.deepEqual(givingOperations(), Object.keys(GIVING).toSorted());
    const { accountId, sessionId, Token } = await newSession('Admin');
    const endsAt = Math.floor(Date.now() / 1000) + 8;
    const shown = { accountId, sessionId, endsAt, isHandedOver: true };
    const cookie = issued('pages', shown);
    // Nothing without a proof, although the login of the session was just now.
    for (const [operation, gets] of Object.entries(GIVING)) {
      if (gets !== 'proof') continue;
      const path = operation.replace('POST ', '').replace('{provider}', 'some');
      const { status } = await post('Core', path, cookie, { TwoFactorCode: '000000' });
      assert.ok(status >= 400 && status < 500, `${operation}: ${status}`);
    }
    await confirmFor(cookie);
    const signIn = async () => (await exchange((await ask(cookie)).code)).body;
    const [tokens, refreshed] = [await signIn(), await signIn()];
    const code = (await ask(cookie)).code;
    const [another, handed] = [await takeOver(await handOver(cookie)), await handOver(cookie)];
    const again = (await refresh(refreshed['refresh_token'])).body;
    for (const { access_token: access, id_token: id, expires_in: left } of [tokens, again]) {
      assert.deepEqual([claimsIn(access)['exp'], claimsIn(id)['exp']], [endsAt, endsAt]);
      assert.ok(Number(left) <= 8);
    }
    const isListed = async (path: string, headers: Headers, api: 'Core' | 'Admin') => {
      const { body } = await services.send(api, { method: 'GET', path, headers });
      return JSON.stringify(body).includes(sessionId) || JSON.stringify(body).includes('"SignIns":2');
    };
    const opened: Record<string, () => Promise<boolean>> = {
      cookie: async () => (await statusOf('/ping/auth', cookie)) === 200,
      'its console': async () =>
        (await statusOf('/admin/account', issued('console', shown), 'Admin')) === 200,
      'the cookie that it was handed over to': async () =>
        (await statusOf('/ping/auth', another.cookie)) === 200,
      'another hand-over': async () => (await handOver(cookie)) !== '',
      userinfo: async () => (await statusOf('/oauth/userinfo', bearer(tokens['access_token']))) === 200,
      'userinfo after a refresh': async () =>
        (await statusOf('/oauth/userinfo', bearer(again['access_token']))) === 200,
      refresh: async () => {
        const { status, body } = await refresh(tokens['refresh_token']);
        if (status === 200) tokens['refresh_token'] = body['refresh_token'];
        return status === 200;
      },
      'the list of the application': () =>
        isListed(`/admin/oauth-client/${client.id}/session`, bearer(Token), 'Admin'),
      'the list of its owner': () => isListed('/account/app', bearer(Token), 'Core'),
      'another code': async () => (await ask(cookie)).code !== '',
    };
    const living = async () => {
      const names = [];
      for (const [name, isOpen] of Object.entries(opened)) if (await isOpen()) names.push(name);
      return names;
    };
    assert.deepEqual(await living(), Object.keys(opened));
    await eventually(() => Promise.resolve(Date.now() / 1000 > endsAt), 20_000);
    assert.deepEqual(await living(), []);
    assert.equal((await exchange(code)).status, 400);
    const { status, cookie: late } = await takeOver(handed);
    assert.ok(status === 400 || (await statusOf('/ping/auth', late)) === 401, 'a code from before the end');
    assert.equal(await statusOf('/ping/auth', bearer(Token)), 200, 'the session itself goes on');
  });
});

const VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier. */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';
const SCOPE = 'openid email offline_access';

/** The claims of a JWT, which is not verified. */
function claimsIn(jwt: unknown): Record<string, unknown> {
  const payload = Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(payload) as Record<string, unknown>;
}

interface Operation {
  security?: object[];
  responses: Record<string, object>;
}

/** The operations of Core and Portal that take a cookie of the account pages, and answer with something to use later. */
function givingOperations(): string[] {
  const file = new URL('../../../../services/core/src/public-openapi.json', import.meta.url);
  // Written by the build.
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, object> };
  };
  const isGiving = (schema: object): boolean => {
    const text = JSON.stringify(schema);
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    return /"(?:\w*Token|\w*Code|RecoveryCodes|Secret|Location|Url|Set-Cookie)":/.test(text)
      ? true
      : named.some((name) => isGiving(document.components.schemas[name] ?? {}));
  };
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ path }) => !/^\/(?:console|admin|person)/.test(path))
    .filter(
      ({ path, method, operation: { security = [], responses } }) =>
        method === 'post' &&
        (path === '/oauth/authorization' || security.some((one) => 'pagesCookie' in one)) &&
        Object.entries(responses).some(([status, answer]) => status.startsWith('2') && isGiving(answer)),
    )
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    .toSorted();
}
