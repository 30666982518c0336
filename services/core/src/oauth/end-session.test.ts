import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { problem } from '../testing/index.ts';
import { claimsIn, SAME_ORIGIN, type TestClient, underRetiredKey, useOAuth } from './testing.ts';
import { signLogouts } from './sign-logouts.ts';

const GOODBYE = 'https://app.example/goodbye?from=gatehouse';

describe('POST /oauth/end-session', () => {
  const { core, client } = useOAuth({ postLogoutRedirectUris: [GOODBYE] });

  const send = (
    cookie: string | undefined,
    asked: Record<string, string> | string,
    more: object = {},
    headers: Record<string, string> = SAME_ORIGIN,
  ) =>
    core.http
      .post('/oauth/end-session')
      .set({ ...headers, ...(cookie !== undefined && { cookie }) })
      .send({ Request: typeof asked === 'string' ? asked : new URLSearchParams(asked).toString(), ...more });
  const isActive = async (cookie: string) =>
    (await core.http.get('/account/passkey').set({ ...SAME_ORIGIN, cookie })).status === 200;
  const signedIn = async () => {
    const person = await core.signIn();
    const { id_token: hint } = await core.open(client, person);
    return { ...person, hint };
  };

  it('ends the session of the shown ID token without asking, and returns to the app with its state', async () => {
    const { cookie, hint } = await signedIn();
    const asked = { id_token_hint: hint, post_logout_redirect_uri: GOODBYE, state: 'a b&c' };
    const { body, headers } = await send(cookie, asked).expect(200);
    assert.deepEqual(body, { Kind: 'SignedOut', Location: `${GOODBYE}&state=a%20b%26c` });
    assert.match(String(headers['set-cookie']), /^__Host-gatehouse=;/);
    assert.equal(await isActive(cookie), false);
    assert.deepEqual((await send(cookie, asked)).body, body, 'it may be repeated');
  });

  it('asks in every other case, and ends nothing before the user agrees', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    for (const asked of [
      {},
      { id_token_hint: '', post_logout_redirect_uri: '' },
      { client_id: client.id },
      { client_id: client.id, post_logout_redirect_uri: GOODBYE },
      { id_token_hint: bob.hint },
    ]) {
      const { body } = await send(ann.cookie, asked).expect(200);
      assert.equal(body.Kind, 'Ask', JSON.stringify(asked));
      assert.equal(body.Client?.Name, asked.client_id || asked.id_token_hint ? client.name : undefined);
    }
    assert.ok(await isActive(ann.cookie));
    const { body } = await send(ann.cookie, { client_id: client.id }, { Confirmed: true });
    assert.deepEqual(body, { Kind: 'SignedOut' });
    assert.deepEqual([await isActive(ann.cookie), await isActive(bob.cookie)], [false, true]);
  });

  it('asks if the key of the ID token is not known any more, and then returns to the app', async () => {
    const { cookie, hint } = await signedIn();
    const asked = { id_token_hint: underRetiredKey(hint), post_logout_redirect_uri: GOODBYE };
    assert.equal((await send(cookie, asked).expect(200)).body.Kind, 'Ask');
    assert.ok(await isActive(cookie));
    const evil = { ...asked, post_logout_redirect_uri: 'https://evil.example' };
    assert.equal((await send(cookie, evil, { Confirmed: true })).body.Code, 'redirect_uri_mismatch');
    const other = { ...asked, client_id: (await core.newClient()).id };
    assert.equal((await send(cookie, other, { Confirmed: true })).body.Code, 'invalid_id_token_hint');
    const { body } = await send(cookie, asked, { Confirmed: true });
    assert.deepEqual(body, { Kind: 'SignedOut', Location: GOODBYE });
    assert.equal(await isActive(cookie), false);
  });

  it('never returns to an address that the client has not registered, and ends nothing for it', async () => {
    const { cookie, hint } = await signedIn();
    for (const address of [
      'https://evil.example/',
      `${GOODBYE}&x=1`,
      GOODBYE.slice(0, -1),
      '//evil.example',
    ]) {
      const asked = { id_token_hint: hint, post_logout_redirect_uri: address };
      for (const Confirmed of [false, true]) {
        const { body } = await send(cookie, asked, { Confirmed }).expect(200);
        assert.deepEqual(body, { Kind: 'Refused', Code: 'redirect_uri_mismatch' }, address);
      }
      const { body } = await send(undefined, { post_logout_redirect_uri: address });
      assert.equal(body.Kind, 'Refused', address);
    }
    assert.ok(await isActive(cookie));
  });

  it('refuses requests that are not correct', async () => {
    const { cookie, hint } = await signedIn();
    const other = await core.newClient();
    const { access_token: access } = await core.open(client, { cookie });
    for (const [asked, code] of [
      [{ id_token_hint: `${hint.slice(0, -4)}AAAA` }, 'invalid_id_token_hint'],
      [{ id_token_hint: access }, 'invalid_id_token_hint'],
      [{ id_token_hint: hint, client_id: other.id }, 'invalid_id_token_hint'],
      [{ client_id: newId() }, 'unknown_client'],
      [{ client_id: 'grafana' }, 'unknown_client'],
      [`client_id=${client.id}&client_id=${client.id}`, 'invalid_request'],
      ['state=1&state=2', 'invalid_request'],
    ] as const) {
      const { body } = await send(cookie, asked, { Confirmed: true }).expect(200);
      assert.deepEqual(body, { Kind: 'Refused', Code: code });
    }
    assert.ok(await isActive(cookie));
  });

  it('is for our own pages alone', async () => {
    const { cookie, hint } = await signedIn();
    for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'http://localhost:9999' }])
      await send(cookie, { id_token_hint: hint }, { Confirmed: true }, headers).expect(problem('cross_site'));
    assert.ok(await isActive(cookie));
  });
});

const LOGOUT_URI = 'https://app.example/logout';

describe('what tells applications of the end of a session', () => {
  const { core, client } = useOAuth({ backchannelLogoutUri: LOGOUT_URI });
  beforeEach(() => core.sql('delete from hook_delivery'));

  /** Somebody who was signed in to clients, and whose session has ended. */
  const endedAt = async (...clients: TestClient[]) => {
    const who = await core.signIn();
    for (const one of clients) await core.open(one, who);
    await end(who.sessionId);
    return who;
  };
  const end = (id: string) =>
    core.sql('update user_session set status = 4, ended_at = now() where id = ?', [id]);
  const sign = () => signLogouts({ ...core.app.service, clientTokens: core.clientTokens });
  const stored = () =>
    core.sql<{ client_id: string; logout_token: string }>('select * from hook_delivery order by id');

  it('is recorded for each application that asks for it, once, with the end', async () => {
    const other = await core.newClient({ backchannelLogoutUri: LOGOUT_URI });
    const silent = await core.newClient();
    const unused = await core.newClient({ backchannelLogoutUri: LOGOUT_URI });
    const { sessionId } = await endedAt(client, client, other, silent);
    await end(sessionId);
    const told = (await stored()).map((row) => row.client_id);
    assert.deepEqual(told.toSorted(), [client.id, other.id].toSorted());
    assert.equal(told.includes(unused.id), false);
  });

  it('is a token about the session that has ended, for that application', async () => {
    const { id, sessionId } = await endedAt(client);
    assert.equal(await sign(), 1);
    const [row = assert.fail()] = await stored();
    const { aud, sub, sid } = claimsIn(row.logout_token);
    assert.deepEqual([aud, sub, sid], [client.id, id, sessionId]);
  });

  it('is signed anew when it has expired unsent, as long as access tokens can be valid', async () => {
    await endedAt(client);
    const age = (seconds: number) => {
      const sql = `update hook_delivery set token_expires_at = token_expires_at - make_interval(secs => :seconds),
           created_at = created_at - make_interval(secs => :seconds)`;
      return core.sql(sql, { seconds });
    };
    assert.deepEqual([await sign(), await sign()], [1, 0]);
    const [first] = await stored();
    await age(121);
    assert.equal(await sign(), 1);
    const [second] = await stored();
    assert.notEqual(second?.logout_token, first?.logout_token);
    await age(core.app.settings.ACCESS_TOKEN_SECONDS);
    assert.equal(await sign(), 0);
  });

  it('is signed once by all processes together, and not for an application without an address', async () => {
    for (let count = 0; count < 3; count += 1) await endedAt(client);
    const signed = await Promise.all([sign(), sign(), sign()]);
    const total = signed.reduce((sum, one) => sum + one);
    assert.equal(total, 3);
    await endedAt(client);
    await core.sql('update oauth_client set backchannel_logout_uri = null where id = ?', [client.id]);
    assert.equal(await sign(), 0);
  });
});
