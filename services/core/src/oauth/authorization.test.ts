import assert from 'node:assert/strict';
import { REDIRECT_URI } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { newPkce, underRetiredKey, useOAuth } from './testing.ts';

describe('POST /oauth/authorization', () => {
  const { core, client, ann, ask, errorOf } = useOAuth();

  it('sends a browser that is signed in back with a code, the state and the issuer', async () => {
    const { status, body, back } = await ask({ state: 'x y&z' });
    assert.deepEqual([status, body['Kind']], [200, 'Redirect']);
    assert.ok(body['Location']?.startsWith(`${REDIRECT_URI}&code=`), body['Location']);
    assert.deepEqual([back?.get('state'), back?.get('iss')], ['x y&z', core.app.settings.ISSUER]);
    assert.match(back?.get('code') ?? '', /^[\w-]{43}$/);
    const left =
      'select extract(epoch from max(expires_at) - now())::float8 as s from oauth_code where client_id = ?';
    const [code] = await core.sql<{ s: number }>(left, [client.id]);
    assert.ok(code !== undefined && code.s > 30 && code.s <= 60, `${code?.s}`);
  });

  it('asks for a login where nobody is signed in, with what the client expects', async () => {
    const tagged = await core.newClient({ sessionTag: 'web', name: 'Team Wiki' });
    const { body } = await ask({ login_hint: 'ann@example.com' }, {}, null, tagged);
    const { Since, ...rest } = body;
    assert.equal(typeof Since, 'number');
    const expected = { LoginHint: 'ann@example.com', SessionTag: 'web' };
    assert.deepEqual(rest, { Kind: 'Login', Client: { Name: 'Team Wiki' }, ...expected });
    const bob = await core.signIn();
    await core.login(bob);
    for (const cookie of [bob.cookie, `${ann.cookie}x`, ann.cookie.replace('pages', 'console')])
      assert.equal((await ask({}, {}, { cookie })).body['Kind'], 'Login', cookie);
    // A session is used whatever its tag.
    assert.ok((await ask({}, {}, ann, tagged)).back?.has('code'));
  });

  it('never redirects to an address that the client has not registered', async () => {
    const refuses = async (more: Record<string, string>, Code: string) =>
      assert.deepEqual((await ask(more)).body, { Kind: 'Refused', Code });
    for (const [redirect_uri, code] of [
      ['https://evil.example/callback', 'redirect_uri_mismatch'],
      [`${REDIRECT_URI}&x=1`, 'redirect_uri_mismatch'],
      ['', 'redirect_uri_missing'],
    ] as const) {
      await refuses({ redirect_uri }, code);
      // Not with an error either.
      await refuses({ redirect_uri, response_type: 'token' }, code);
    }
    for (const client_id of ['', newId(), 'grafana', `${client.id} `])
      await refuses({ client_id }, 'unknown_client');
    const good = new URLSearchParams(core.requestOf(client, newPkce().asked)).toString();
    const twice = [`&client_id=${client.id}`, `&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`];
    for (const more of [...twice, '&x'.repeat(60)]) {
      const { body } = await core.authorize(ann, good + more);
      assert.deepEqual(body, { Kind: 'Refused', Code: 'invalid_request' });
    }
  });

  it('refuses what is not supported, each with its proper error', async () => {
    for (const [error, more] of [
      ['unsupported_response_type', { response_type: 'token' }],
      ['unsupported_response_type', { response_type: 'code id_token' }],
      ['invalid_request', { response_type: '' }],
      ['invalid_request', { response_mode: 'fragment' }],
      ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0..' }],
      ['request_uri_not_supported', { request_uri: 'https://app.example/request' }],
      ['registration_not_supported', { registration: '{}' }],
      ['invalid_scope', { scope: '' }],
      ['invalid_scope', { scope: 'unknown' }],
      ['invalid_scope', { scope: 'openid,email' }],
      ['invalid_target', { resource: 'https://api.example' }],
      ['invalid_request', { prompt: 'none login' }],
      ['invalid_request', { prompt: 'create' }],
      ['invalid_request', { max_age: '-1' }],
      ['invalid_request', { nonce: 'n'.repeat(1001) }],
      ['invalid_request', { id_token_hint: 'no.token.atall' }],
    ] as const) {
      const { back } = await ask({ ...more, state: 's' });
      const of = ['error', 'state', 'iss', 'code'].map((name) => back?.get(name));
      assert.deepEqual(of, [error, 's', core.app.settings.ISSUER, null], JSON.stringify(more));
    }
    const machine = await core.newClient({ grantTypes: ['client_credentials'] });
    assert.equal(await errorOf({}, {}, ann, machine), 'unauthorized_client');
    const good = new URLSearchParams(core.requestOf(client, newPkce().asked)).toString();
    const twice = await core.authorize(ann, `${good}&nonce=1&nonce=2`);
    assert.equal(twice.back?.get('error'), 'invalid_request');
  });

  it('takes an empty parameter for none', async () => {
    const names =
      'prompt max_age login_hint id_token_hint resource response_mode ui_locales acr_values claims state';
    for (const name of [...names.split(' '), 'display', 'request', 'request_uri'])
      assert.ok((await ask({ [name]: '' })).back?.has('code'), name);
  });

  it('answers by a form that the browser posts, if the client asks for that at a web address', async () => {
    const iss = core.app.settings.ISSUER;
    const posted = async (more: Record<string, string>, by = client) => {
      const asked = { response_mode: 'form_post', state: 'a b', ...newPkce().asked, ...more };
      const { body } = await core.authorize(ann, core.requestOf(by, asked));
      return body as unknown as { Kind: string; Location: string; Fields: Record<string, string> };
    };
    const { Fields, ...rest } = await posted({});
    const answer = { Kind: 'Post', Location: REDIRECT_URI };
    assert.deepEqual(rest, answer);
    assert.deepEqual({ ...Fields, code: typeof Fields['code'] }, { code: 'string', state: 'a b', iss });
    const refused = await posted({ scope: 'unknown' });
    assert.deepEqual(refused, { ...answer, Fields: { error: 'invalid_scope', state: 'a b', iss } });
    const app = await core.newClient({ isPublic: true, isTrusted: false, redirectUris: ['app://back'] });
    const { Location } = await posted({ redirect_uri: 'app://back' }, app);
    assert.equal(new URL(Location).searchParams.get('error'), 'invalid_request');
  });

  it('binds the code to whoever asked for it with PKCE by S256 alone', async () => {
    const { asked } = newPkce();
    const without = core.requestOf(client, { nonce: 'n' });
    for (const challenge of [
      {},
      { code_challenge: asked.code_challenge },
      { code_challenge_method: 'S256' },
      { ...asked, code_challenge_method: 'plain' },
      { ...asked, code_challenge_method: 's256' },
      { ...asked, code_challenge: asked.code_challenge.slice(1) },
      { ...asked, code_challenge: `${asked.code_challenge}=` },
      { ...asked, code_challenge: `${asked.code_challenge.slice(1)}+` },
    ]) {
      const { back } = await core.authorize(ann, { ...without, ...challenge });
      assert.equal(back?.get('error'), 'invalid_request', JSON.stringify(challenge));
    }
  });

  it('binds the code with a nonce for a confidential client that is exempt from PKCE, unless from that, too', async () => {
    const old = await core.newClient({ requiresPkce: false });
    const ofOld = async (more: Record<string, string>, by = old) =>
      (await core.authorize(ann, core.requestOf(by, more))).back?.get('error') ?? 'none';
    assert.equal(await ofOld({ nonce: 'n' }), 'none');
    assert.equal(await ofOld({}), 'invalid_request');
    const older = await core.newClient({ requiresPkce: false, requiresNonce: false });
    assert.equal(await ofOld({}, older), 'none');
    // A nonce without an ID token binds nothing.
    assert.equal(await ofOld({ nonce: 'n', scope: 'email' }), 'invalid_request');
    const { code_challenge } = newPkce().asked;
    assert.equal(await ofOld({ nonce: 'n', code_challenge }), 'invalid_request');
  });

  it('lets in whom the client names by role and group', async () => {
    const staff = await core.newClient({ groups: ['staff', 'board'] });
    const setGroups = (groups: string) =>
      core.sql('update account set groups = cast(? as text[]) where id = ?', [groups, ann.id]);
    assert.equal(await errorOf({}, {}, ann, staff), 'access_denied');
    await setGroups('{board}');
    assert.ok((await ask({}, {}, ann, staff)).back?.has('code'));
    await setGroups('{}');
    assert.equal(await errorOf({ prompt: 'none' }, {}, ann, staff), 'access_denied');
  });

  it('lets in guests only where the client says so', async () => {
    const guest = await core.signIn(await core.newAccount({ role: 'Guest' }));
    assert.equal(await errorOf({}, {}, guest), 'access_denied');
    assert.ok((await ask({}, {}, guest, await core.newClient({ roles: ['Guest'] }))).back?.has('code'));
  });

  it('shows whose session it is, if the key of the hint is not known any more', async () => {
    const hint = { id_token_hint: underRetiredKey((await core.open(client, ann)).id_token) };
    const { body } = await ask(hint);
    assert.deepEqual([body['Kind'], body['Email']], ['Consent', ann.email]);
    assert.equal(await errorOf({ ...hint, prompt: 'none' }), 'consent_required');
    assert.ok((await ask(hint, { Consent: 'granted', ConsentTo: body['ConsentTo'] })).back?.has('code'));
    const other = await core.newClient();
    assert.equal(await errorOf(hint, {}, ann, other), 'invalid_request');
  });

  it('acts for nobody whom another site sends', async () => {
    const parameters = core.requestOf(client, newPkce().asked);
    for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'null' }, {}]) {
      const { status, body } = await core.authorize(ann, parameters, {}, headers);
      assert.deepEqual([status, body['code']], [403, 'cross_site'], JSON.stringify(headers));
    }
    assert.ok(
      (await core.authorize(ann, parameters, {}, { origin: core.app.settings.ISSUER })).back?.has('code'),
    );
  });
});
