import assert from 'node:assert/strict';
import { PASSWORD, REDIRECT_URI, someAddress } from '@gatehouse/accounts/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { claimsIn, newPkce, SAME_ORIGIN } from '../../../../services/core/src/oauth/testing.ts';
import type { TestClient } from '../../../../services/core/src/oauth/testing.ts';
import { readOpenApi } from '../documents/openapi.ts';
import { startInstallation, type Installation } from './ends/ways.ts';

type Headers = Record<string, string>;

const NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;
const PKCE = newPkce();

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

describe('what is proved in a sign-in', () => {
  const at = during(() => startInstallation());
  let client: TestClient;
  before(async () => (client = await at.newClient()));

  const send = (api: 'Core' | 'Admin', method: 'get' | 'post', path: string, headers: Headers) => {
    const http = api === 'Core' ? at.http : at.adminHttp;
    return http[method](path).set({ 'x-forwarded-for': someAddress(), ...headers });
  };
  const post = (api: 'Core' | 'Admin', path: string, headers: Headers, body: object = {}) =>
    send(api, 'post', path, headers).send(body);
  const cookieOf = (line: unknown) => ({ cookie: String(line).split(';')[0] ?? '', ...SAME_ORIGIN });
  const issued = (
    purpose: 'pages' | 'console',
    session: Parameters<Installation['app']['browser']['sessions']['issue']>[1],
  ) => cookieOf(`${NAMES[purpose]}=${at.app.browser.sessions.issue(purpose, session)}`);
  const handOver = async (from: Headers): Promise<string> =>
    String((await post('Core', '/account/handover', from)).body.Url).split('#HandoverCode=')[1] ?? '';
  const takeOver = async (HandoverCode: string) => {
    const { status, headers } = await post('Core', '/account/handover/exchange', SAME_ORIGIN, {
      HandoverCode,
    });
    return { status, cookie: cookieOf(headers['set-cookie']) };
  };
  const ask = async (who: Headers, more: Record<string, string> = {}, fields: object = {}, to = client) => {
    const asked = at.requestOf(to, { ...PKCE.asked, nonce: 'n', ...more });
    const { back, body } = await at.authorize(undefined, asked, fields, who);
    return {
      body,
      kind: back?.get('error') ?? body['Prompt'] ?? body['Kind'],
      code: back?.get('code') ?? '',
    };
  };
  const confirmFor = async (who: Headers, to = client) => {
    const { body } = await ask(who, { prompt: 'login' }, {}, to);
    return ask(who, { prompt: 'login' }, { Since: body.Since, Password: PASSWORD }, to);
  };
  const exchange = (code: string) => {
    const given = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI };
    return at.token(client, { ...given, code, code_verifier: PKCE.verifier });
  };
  const statusOf = async (path: string, headers: Headers, api: 'Core' | 'Admin' = 'Core') =>
    (await send(api, 'get', path, headers)).status;

  const newSession = async (role: 'User' | 'Admin' = 'User') => {
    const person = await at.newAccount({ role });
    const session = await at.login(person);
    const setLogin = (sets: string) =>
      at.sql(`update user_session set ${sets} where id = ?`, [session.sessionId]);
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
      'a token': at.bearer(Token),
      'the token after it': at.bearer(renewed.body.Token),
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
      const isRefused = body.code === 'confirmation_required';
      assert.equal(actions.status === 200, !isRefused, 'Core and Admin agree');
      return isRefused ? [] : ['action'];
    };
    const expected: [string, string[]][] = [];
    const found: [string, string[]][] = [];
    for (const [confirmed, by] of Object.entries(credentials)) {
      await at.sql('delete from session_confirmation where session_id = ?', [sessionId]);
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
    const { cookie } = await takeOver(await handOver(at.bearer(Token)));
    assert.equal((await ask(cookie)).kind, 'Confirm');
    assert.equal((await ask(cookie, { prompt: 'none' })).kind, 'login_required');
    assert.equal((await ask(cookie, {}, { Consent: 'granted' })).kind, 'Confirm');
    const from = Math.floor(Date.now() / 1000);
    await confirmFor(cookie);
    const { body } = await exchange((await ask(cookie, { prompt: 'none' })).code);
    const { auth_time: time, amr } = claimsIn(body.id_token);
    assert.ok(Number(time) >= from - 1, `${String(time)} is not before ${from}`);
    assert.deepEqual(amr, ['pwd']);
  });

  it('is what an application is told for good, whatever another one asks for', async () => {
    const { accountId, sessionId, setLogin } = await newSession();
    await setLogin(`authenticated_at = now() - interval '1 hour', authenticated_by = '{passkey}'`);
    const cookie = issued('pages', { accountId, sessionId });
    const first = (await exchange((await ask(cookie)).code)).body;
    const waiting = (await ask(cookie)).code;
    const other = await at.newClient();
    assert.notEqual((await confirmFor(cookie, other)).code, '');
    const told = (idToken: string) => {
      const { auth_time: time, amr } = claimsIn(idToken);
      return [time, amr];
    };
    const login = told(first.id_token);
    assert.deepEqual(login[1], ['hwk']);
    assert.deepEqual(told((await at.refresh(client, first.refresh_token)).body.id_token), login);
    assert.deepEqual(told((await exchange(waiting)).body.id_token), login);
    // What is signed in to now is told of the later proof, and of nothing that was shown before it.
    const later = told((await exchange((await ask(cookie)).code)).body.id_token);
    assert.ok(Number(later[0]) > Number(login[0]) + 3000);
    assert.deepEqual(later[1], ['pwd']);
  });

  it('of rows that version 1.0.0 wrote is the login of their session', async () => {
    const { accountId, sessionId } = await newSession();
    const cookie = issued('pages', { accountId, sessionId });
    const { body } = await exchange((await ask(cookie)).code);
    const forget = 'authenticated_at = null, authenticated_by = null, ends_at = null';
    await at.sql(`update client_session set ${forget} where session_id = ?`, [sessionId]);
    const refreshed = await at.refresh(client, body.refresh_token);
    const { auth_time: time, amr } = claimsIn(refreshed.body.id_token);
    assert.deepEqual([time, amr], [claimsIn(body.id_token)['auth_time'], ['pwd']]);
    const { code } = await ask(cookie);
    await at.sql(`update oauth_code set ${forget} where session_id = ?`, [sessionId]);
    assert.deepEqual(claimsIn((await exchange(code)).body.id_token)['amr'], ['pwd']);
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
    const again = (await at.refresh(client, refreshed.refresh_token)).body;
    for (const body of [tokens, again]) {
      const {
        access_token: access,
        id_token: id,
        expires_in: left,
      } = body as typeof body & { expires_in: number };
      assert.deepEqual([claimsIn(access)['exp'], claimsIn(id)['exp']], [endsAt, endsAt]);
      assert.ok(left <= 8);
    }
    const isListed = async (path: string, headers: Headers, api: 'Core' | 'Admin') => {
      const { text } = await send(api, 'get', path, headers);
      return text.includes(sessionId) || text.includes('"SignIns":2');
    };
    const opened: Record<string, () => Promise<boolean>> = {
      cookie: async () => (await statusOf('/ping/auth', cookie)) === 200,
      'its console': async () =>
        (await statusOf('/admin/account', issued('console', shown), 'Admin')) === 200,
      'the cookie that it was handed over to': async () =>
        (await statusOf('/ping/auth', another.cookie)) === 200,
      'another hand-over': async () => (await handOver(cookie)) !== '',
      userinfo: async () => (await statusOf('/oauth/userinfo', at.bearer(tokens.access_token))) === 200,
      'userinfo after a refresh': async () =>
        (await statusOf('/oauth/userinfo', at.bearer(again.access_token))) === 200,
      refresh: async () => {
        const { status, body } = await at.refresh(client, tokens.refresh_token);
        if (status === 200) tokens.refresh_token = body.refresh_token;
        return status === 200;
      },
      'the list of the application': () =>
        isListed(`/admin/oauth-client/${client.id}/session`, at.bearer(Token), 'Admin'),
      'the list of its owner': () => isListed('/account/app', at.bearer(Token), 'Core'),
      'another code': async () => (await ask(cookie)).code !== '',
    };
    const living = async () => {
      const names = [];
      for (const [name, isOpen] of Object.entries(opened)) if (await isOpen()) names.push(name);
      return names;
    };
    assert.deepEqual(await living(), Object.keys(opened));
    await eventually(() => Date.now() / 1000 > endsAt, 20);
    assert.deepEqual(await living(), []);
    assert.equal((await exchange(code)).status, 400);
    const { status, cookie: late } = await takeOver(handed);
    assert.ok(status === 400 || (await statusOf('/ping/auth', late)) === 401, 'a code from before the end');
    assert.equal(await statusOf('/ping/auth', at.bearer(Token)), 200, 'the session itself goes on');
  });
});

/** What can be used later, as a field or a header of an answer. */
const GIVEN = /"(?:\w*Token|\w*Code|RecoveryCodes|Secret|Location|Url|Set-Cookie)":/;

/** The operations of Core and Portal that take a cookie of the account pages, and answer with something to use later. */
function givingOperations(): string[] {
  const operations = Object.entries(readOpenApi().paths).flatMap(([path, { post }]) =>
    post === undefined || /^\/(?:console|admin|person)/.test(path) ? [] : [{ path, ...post }],
  );
  return operations
    .filter(({ path, security }) => {
      return path === '/oauth/authorization' || security.some((one) => 'pagesCookie' in one);
    })
    .filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, answer]) => status.startsWith('2') && GIVEN.test(JSON.stringify(answer)),
      ),
    )
    .map(({ path }) => `POST ${path}`)
    .toSorted();
}
