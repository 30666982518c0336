import assert from 'node:assert/strict';
import { addPasskey, PASSWORD, readAudit, someAddress } from '@gatehouse/accounts/testing';
import { DEVICE_GRANT } from '@gatehouse/schema';
import { claimsIn, SAME_ORIGIN, type TestClient, useOAuth } from './testing.ts';

type Codes = Record<'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete', string>;
type Begun = Codes & { expires_in: number; interval: number };

interface Answer extends Record<'Kind' | 'ConsentTo' | 'code', string> {
  Choices?: string[];
  IsSameNetwork?: boolean;
  Scopes?: string[];
}

describe('a sign-in on a device', () => {
  const {
    core,
    client: tv,
    ann,
  } = useOAuth({
    ...{ isPublic: true, isTrusted: false, redirectUris: [], grants: 'own' },
    grantTypes: [DEVICE_GRANT, 'refresh_token'],
    scopes: ['openid', 'offline_access', 'films.watch'],
  });

  const start = (client: TestClient, more: object = {}, address = someAddress()) =>
    core.http
      .post('/oauth/device_authorization')
      .set('x-forwarded-for', address)
      .type('form')
      .send({ client_id: client.id, scope: 'openid offline_access', ...more });
  const begin = async (client = tv, more: object = {}) => {
    const { body, status } = await start(client, more);
    assert.equal(status, 200, JSON.stringify(body));
    return body as Begun;
  };
  const send = (who: { cookie: string } | undefined, body: object, address = someAddress()) =>
    core.http
      .post('/oauth/device')
      .set({ ...SAME_ORIGIN, 'x-forwarded-for': address, ...(who && { cookie: who.cookie }) })
      .send(body);
  const ask = async (who: { cookie: string } | undefined, body: object) =>
    (await send(who, body)).body as Answer;
  const linkOf = ({ verification_uri_complete: uri }: Begun) => new URL(uri).hash.slice('#Code='.length);
  /** The first look at a code, and the answer to it. */
  const approve = async (who: { cookie: string }, UserCode: string) => {
    const { ConsentTo } = await ask(who, { UserCode });
    return ask(who, { UserCode, Answer: 'granted', ConsentTo });
  };
  const poll = (device: Begun, client = tv) =>
    core.token(client, { grant_type: DEVICE_GRANT, device_code: device.device_code });
  const errorOf = async (device: Begun, client = tv) => (await poll(device, client)).body.error;
  const change = (set: string, device: Begun) => {
    const sql = `update device_authorization set ${set} where user_code = ?`;
    return core.sql(sql, [device.user_code.replace('-', '')]);
  };

  it('begins with two codes, is approved with the typed one, and gets tokens once', async () => {
    // It outlives the session by its refresh tokens, so its owner is asked about them, too.
    const device = await begin(tv, { scope: 'openid' });
    assert.match(device.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    assert.deepEqual([device.expires_in, device.interval], [600, 5]);
    assert.match(device.verification_uri, /\/device$/);
    assert.equal(await errorOf(device), 'authorization_pending');
    const question = await ask(ann, { UserCode: ` ${device.user_code.toLowerCase().replace('-', ' – ')} ` });
    assert.deepEqual(
      [question.Kind, question.Scopes, question.IsSameNetwork, question.Choices],
      ['Ask', ['openid', 'offline_access'], false, undefined],
    );
    assert.equal((await approve(ann, device.user_code)).Kind, 'Approved');
    const { status, body, headers } = await poll(device);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers['cache-control'], 'no-store');
    const { sub, sid, client_session: grant } = claimsIn(body.access_token);
    assert.ok(sub === ann.id && sid === grant);
    assert.equal((await core.refresh(tv, body.refresh_token)).status, 200);
    const { entries } = await readAudit(core.app, { actorId: ann.id, targetId: tv.id });
    const actions = entries.map(({ action }) => action).toSorted();
    assert.deepEqual(actions, ['app.signed-in', 'consent.granted', 'device.approved']);
    // Whoever shows the code again has a copy of it: what it opened ends.
    assert.equal(await errorOf(device), 'invalid_grant');
    assert.equal((await core.refresh(tv, body.refresh_token)).status, 400);
  });

  it('learns each state by its name (RFC 8628 §3.5)', async () => {
    const [device, denied] = [await begin(), await begin()];
    assert.equal(await errorOf(device), 'authorization_pending');
    assert.equal(await errorOf(device), 'slow_down');
    await change(`polled_at = now() - interval '8 seconds'`, device);
    assert.equal(await errorOf(device), 'slow_down');
    await change(`polled_at = now() - interval '14.5 seconds'`, device);
    assert.equal(await errorOf(device), 'authorization_pending');
    await change('expires_at = now()', device);
    assert.equal(await errorOf(device), 'expired_token');
    assert.equal((await send(ann, { UserCode: device.user_code })).body.code, 'invalid_code');
    assert.equal((await ask(ann, { UserCode: denied.user_code, Answer: 'denied' })).Kind, 'Denied');
    assert.equal(await errorOf(denied), 'access_denied');
    assert.equal((await send(ann, { UserCode: denied.user_code })).body.code, 'invalid_code');
    const other = await core.newClient({ isPublic: true, grantTypes: [DEVICE_GRANT] });
    assert.equal(await errorOf(denied, other), 'invalid_grant');
    assert.equal(await errorOf({ ...denied, device_code: 'x' }), 'invalid_grant');
    const late = await begin();
    assert.equal((await approve(ann, late.user_code)).Kind, 'Approved');
    await core.sql('update oauth_code set expires_at = now() where account_id = ?', [ann.id]);
    assert.equal(await errorOf(late), 'expired_token');
    const { entries } = await readAudit(core.app, { actorId: ann.id, action: 'device.denied' });
    assert.equal(entries.length, 1);
  });

  it('is begun only by clients that may, with scopes of theirs, and sixty times from an address', async () => {
    const plain = await core.newClient({ isPublic: true });
    const confidential = await core.newClient({ grantTypes: [DEVICE_GRANT] });
    for (const [client, more, error] of [
      [plain, {}, 'unauthorized_client'],
      [confidential, {}, 'invalid_client'],
      [tv, { scope: 'films.delete' }, 'invalid_scope'],
      [tv, { scope: '' }, 'invalid_scope'],
      [tv, { resource: 'https://films.example' }, 'invalid_target'],
    ] as const)
      assert.equal((await start(client, more)).body.error, error);
    const address = someAddress();
    for (let time = 0; time < 60; time += 1) await start(tv, {}, address).expect(200);
    await start(tv, {}, address).expect(429);
    // What Core has read of a client it uses for a moment.
    const gone = await core.newClient({ isPublic: true, grantTypes: [DEVICE_GRANT] });
    await begin(gone);
    await core.sql('delete from oauth_client where id = ?', [gone.id]);
    assert.equal((await start(gone)).body.error, 'invalid_client');
  });

  it('from a link that somebody has sent needs the code on the screen, and has one try', async () => {
    const [wrong, right] = [await begin(), await begin()];
    for (const device of [wrong, right]) {
      const LinkCode = linkOf(device);
      assert.ok(!LinkCode.includes(device.user_code));
      const { Kind, Choices = [], ConsentTo } = await ask(ann, { LinkCode });
      assert.deepEqual([Kind, Choices.length, Choices.includes(device.user_code)], ['Ask', 3, true]);
      assert.deepEqual((await ask(ann, { LinkCode })).Choices, Choices);
      const granted = { LinkCode, ConsentTo, Answer: 'granted' };
      assert.equal((await ask(ann, granted)).Kind, 'Ask');
      assert.equal(await errorOf(device), 'authorization_pending');
      const Choice = device === right ? right.user_code : Choices.find((one) => one !== device.user_code);
      const expected = device === right ? 'Approved' : 'Denied';
      assert.equal((await ask(ann, { ...granted, Choice })).Kind, expected);
      const again = await ask(ann, { ...granted, Choice: device.user_code });
      assert.equal(again.Kind ?? again.code, device === right ? 'Approved' : 'invalid_code');
    }
    assert.equal(await errorOf(wrong), 'access_denied');
    assert.equal((await poll(right)).status, 200);
  });

  it('is approved by nobody whose browser has no session, has it from an app, or no fresh proof', async () => {
    const { user_code: UserCode } = await begin();
    assert.equal((await ask(undefined, { UserCode })).Kind, 'Login');
    const over = { accountId: ann.id, sessionId: ann.sessionId, isHandedOver: true };
    const value = core.app.browser.sessions.issue('pages', over);
    const handed = { cookie: `__Host-gatehouse=${value}` };
    assert.equal((await ask(handed, { UserCode, Password: PASSWORD })).Kind, 'LoginAgain');
    const sql = `update user_session set authenticated_at = now() - interval '6 minutes' where id = ?`;
    await core.sql(sql, [ann.sessionId]);
    const { ConsentTo } = await ask(await core.signIn(), { UserCode });
    assert.equal((await ask(ann, { UserCode, Answer: 'granted', ConsentTo })).Kind, 'Prove');
    // What another account was asked does not count.
    const proved = { UserCode, Password: PASSWORD, Answer: 'granted', ConsentTo };
    assert.equal((await ask(ann, proved)).Kind, 'Ask');
    const foreign = await core.http.post('/oauth/device').set('cookie', ann.cookie).send({ UserCode });
    assert.equal(foreign.status, 403);
  });

  it('is refused to those whom the client does not let in', async () => {
    const staff = await core.newClient({ isPublic: true, grantTypes: [DEVICE_GRANT], groups: ['staff'] });
    const device = await begin(staff);
    assert.equal((await approve(ann, device.user_code)).Kind, 'Refused');
    assert.equal(await errorOf(device, staff), 'authorization_pending');
    await core.sql(`update oauth_client set grant_types = '{}' where id = ?`, [staff.id]);
    assert.equal((await send(ann, { UserCode: device.user_code })).body.code, 'invalid_code');
  });

  it('cannot be guessed: five wrong codes of an account are enough, whatever its address', async () => {
    const device = await begin();
    for (let time = 0; time < 5; time += 1)
      assert.equal((await send(ann, { UserCode: 'BBBB-BBBB' })).body.code, 'invalid_code');
    assert.equal((await send(ann, { UserCode: device.user_code })).status, 429);
  });

  it('is approved once when two answer at once, and for who was first', async () => {
    const device = await begin();
    const bob = await core.signIn();
    const kinds = await Promise.all(
      [ann, bob].map(async (who) => (await approve(who, device.user_code)).Kind as string | undefined),
    );
    assert.deepEqual(kinds.map((kind) => kind ?? 'Late').toSorted(), ['Approved', 'Late']);
    const polls = await Promise.all([poll(device), poll(device), poll(device)]);
    assert.equal(polls.filter(({ status }) => status === 200).length, 1);
  });

  it('is approved also for who repeats their answer because they lost ours', async () => {
    const device = await begin();
    const typed = { UserCode: device.user_code };
    const { ConsentTo } = await ask(ann, typed);
    const granted = { ...typed, Answer: 'granted', ConsentTo };
    // More often than a code may be wrong, and after the device has its tokens.
    for (let time = 0; time < 7; time += 1) {
      assert.equal((await ask(ann, granted)).Kind, 'Approved');
      if (time === 3) assert.equal((await poll(device)).status, 200);
    }
    assert.equal((await ask(ann, typed)).Kind, 'Approved');
    assert.equal((await send(ann, { ...typed, Answer: 'denied' })).body.code, 'invalid_code');
    assert.equal((await send(await core.signIn(), granted)).body.code, 'invalid_code');
    const { entries } = await readAudit(core.app, { actorId: ann.id, action: 'device.approved' });
    assert.equal(entries.length, 1);
  });

  it('gives nothing any more when the session ends, or its owner ends what outlives it, before it asks', async () => {
    const device = await begin();
    await approve(ann, device.user_code);
    await core.login(ann);
    assert.equal(await errorOf(device), 'access_denied');
    const again = await core.signIn(ann);
    const own = { ...SAME_ORIGIN, cookie: again.cookie };
    const password = { CurrentPassword: PASSWORD, Password: 'another correct horse' };
    /** It was the passkey that the approval was given with. */
    const removePasskey = async () => {
      const id = await addPasskey(core.app, ann.id);
      await core.sql(`update oauth_code set authenticated_by = '{passkey}' where account_id = ?`, [ann.id]);
      const proof = { CurrentPassword: PASSWORD };
      await core.http.delete(`/account/passkey/${id}`).set(own).send(proof).expect(204);
    };
    for (const end of [
      removePasskey,
      () => core.http.delete(`/account/app/${tv.id}`).set(own).expect(204),
      () => core.http.delete('/account/grant').set(own).expect(204),
      () => core.http.post('/account/change-password').set(own).send(password).expect(200),
    ]) {
      const other = await begin();
      await approve(again, other.user_code);
      await end();
      assert.equal(await errorOf(other), 'access_denied');
    }
  });

  it('of a client with sign-ins that end with the session does so', async () => {
    const cli = await core.newClient({ isPublic: true, grantTypes: [DEVICE_GRANT] });
    const device = await begin(cli);
    const seenAt = async () =>
      (await core.app.sessionCache.read(ann.id, ann.sessionId))?.session.lastSeenAt ?? 0;
    const before = await seenAt();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await approve(ann, device.user_code);
    assert.ok((await seenAt()) > before);
    const { body } = await poll(device, cli);
    assert.equal(claimsIn(body.access_token)['sid'], ann.sessionId);
    await core.login(ann);
    await core.userinfo(body.access_token).expect(401);
  });
});
