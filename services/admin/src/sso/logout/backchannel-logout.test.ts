import assert from 'node:assert/strict';
import { someEmail, statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { personClaims, useSso } from '../testing/browser.ts';
import type { Signing } from '../testing/provider.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('the logout token of an identity provider', () => {
  const rules = { provisioning: 'jit' };
  const sso = useSso({ demo: rules, other: rules }, { SINGLE_SESSION: false });

  const post = (fields: Record<string, string>, id = 'demo') =>
    sso.admin.http.post(`/auth/${id}/backchannel-logout`).type('form').send(fields);
  const token = (claims: object, signing?: Signing, header?: object) =>
    sso.provider('demo').logoutToken(claims, signing, header);
  const logOut = (text: string) => sso.logOut('demo', text);
  /** Signs a person on, in the provider's session `sid`. `code` returns their role, or why their session is refused. */
  const signOn = async (email: string, sid?: unknown, id = 'demo') => {
    const person = personClaims(email);
    const back = await sso.signOn(id, person, { claims: { sid } });
    const code = () => sso.standing(back.parameters[`${id}_token`]);
    return { sub: person.sub, code };
  };

  it('ends all sessions of the user by this provider before the response, and no others', async () => {
    const [email, stranger] = [someEmail(), someEmail()];
    const [first, second] = [await signOn(email, 'one'), await signOn(email)];
    const [elsewhere, other] = [await signOn(email, 'one', 'other'), await signOn(stranger, 'one')];
    const answer = await logOut(token({ sub: first.sub }));
    assert.deepEqual([answer.status, answer.text, answer.headers['cache-control']], [200, '', 'no-store']);
    assert.deepEqual([await first.code(), await second.code()], ['session_ended', 'session_ended']);
    assert.deepEqual([await elsewhere.code(), await other.code()], ['User', 'User']);
    const statement = `select s.id, s.end_reason as reason, s.status
      from user_session s join account a on a.id = s.account_id
       where a.email = ? and s.ended_at is not null`;
    const rows = await sso.sql<{ id: string; reason: string; status: number }>(statement, [email]);
    const shown = rows.map(({ reason, status }) => [reason, status]);
    const ended = ['provider_logout', 7];
    assert.deepEqual(shown, [ended, ended]);
    for (const { id } of rows) {
      const [entry] = await sso.history({ targetId: id }, 'action', 'actorKind', 'details');
      assert.deepEqual(entry, ['session.ended', 'System', { Provider: 'demo' }]);
    }
  });

  it('ends only the sessions of one provider session, if it names one', async () => {
    const email = someEmail();
    const [here, there] = [await signOn(email, `${email} a`), await signOn(email, `${email} b`)];
    await logOut(token({ sid: `${email} a` })).expect(200);
    assert.deepEqual([await here.code(), await there.code()], ['session_ended', 'User']);
    await logOut(token({ sub: 'somebody else', sid: `${email} b` })).expect(200);
    assert.equal(await there.code(), 'User');
    await logOut(token({ sub: there.sub, sid: `${email} b` })).expect(200);
    assert.equal(await there.code(), 'session_ended');
  });

  it('ends all sessions of the person, and needs a sub, if its sid is none that we keep', async () => {
    const [email, sid] = [someEmail(), `${newId()}\0`];
    const [here, there] = [await signOn(email, sid), await signOn(email, newId())];
    await logOut(token({ sid })).expect(400);
    assert.equal(await here.code(), 'User');
    await logOut(token({ sub: here.sub, sid })).expect(200);
    assert.deepEqual([await here.code(), await there.code()], ['session_ended', 'session_ended']);
  });

  it('is accepted once, also concurrently', async () => {
    const email = someEmail();
    const { sub, code } = await signOn(email);
    const text = token({ sub });
    const answers = await atOnce(5, () => logOut(text));
    assert.deepEqual(statusesOf(answers), [200, 400, 400, 400, 400]);
    assert.equal(await code(), 'session_ended');
    const again = await signOn(email);
    const replayed = await logOut(text);
    assert.deepEqual([replayed.status, replayed.headers['cache-control']], [400, 'no-store']);
    assert.equal(await again.code(), 'User');
  });

  /** A browser that is about to return from a sign-on in this session of the provider. */
  const comingBack = (person: ReturnType<typeof personClaims>, sid: string) => {
    sso.recognise('demo', person, { claims: { sid } });
    return sso.comingBack('demo');
  };
  for (const [what, claimsOf] of [
    ['of its session', (sub: string, sid: string) => ({ sub, sid })],
    ['of its session, by sid alone', (_: string, sid: string) => ({ sub: undefined, sid })],
    ['of the person', (sub: string) => ({ sub })],
  ] as const)
    it(`keeps a sign-on that began before it (${what}) from opening a session, and no later one`, async () => {
      const [email, sid] = [someEmail(), newId()];
      const person = personClaims(email);
      await signOn(email);
      const back = await comingBack(person, sid);
      await logOut(token(claimsOf(person.sub, sid))).expect(200);
      assert.deepEqual((await back()).parameters, { error: 'invalid_attempt' });
      assert.equal(await (await signOn(email, sid)).code(), 'User');
    });

  const now = Math.floor(Date.now() / 1000);
  const LIES: [what: string, claims: object, signing?: Signing, header?: object][] = [
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another client' }],
    ['another authorized party', { azp: 'another client' }],
    ['another audience too, and no authorized party', { aud: ['gatehouse', 'another client'] }],
    ['another audience too, which is the authorized party', { aud: ['gatehouse', 'b'], azp: 'b' }],
    ['no audience', { aud: undefined }],
    ['no iat', { iat: undefined }],
    ['an iat long ago', { iat: now - 3600 }],
    ['an iat in the future', { iat: now + 3600 }],
    ['no exp', { exp: undefined }],
    ['an exp that is over', { exp: now - 305 }],
    ['no jti', { jti: undefined }],
    ['a jti that is no text', { jti: 5 }],
    ['a nonce', { nonce: 'some' }],
    ['no events', { events: undefined }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['an event that is no object', { events: { [EVENT]: true } }],
    ['neither sub nor sid', { sub: undefined }],
    ['a sub that is no text', { sub: 5 }],
    ['a sid that is no text', { sid: ['x'] }],
    ['another key', {}, 'other-key'],
    ['no signature', {}, 'none'],
    ['the signature of a shared secret', {}, 'shared-secret'],
    ['a broken signature', {}, 'broken'],
    ['the type of an access token', {}, 'right', { typ: 'at+jwt' }],
    ['an extension that is critical', {}, 'right', { crit: ['exp'] }],
    ['another algorithm than its key’s', {}, 'right', { alg: 'ES384' }],
    ['a list as its events', { events: [EVENT] }],
    ['a list as the event', { events: { [EVENT]: [] } }],
    ['an iat that is no number', { iat: String(now) }],
    ['an issuer that only reads the same', { iss: 'http://127.0.0.1/' }],
  ];
  it('may have other audiences if it was issued to this client', async () => {
    for (const claims of [
      { aud: ['gatehouse'] },
      { aud: ['another client', 'gatehouse'], azp: 'gatehouse' },
    ]) {
      const { sub, code } = await signOn(someEmail());
      await logOut(token({ sub, ...claims })).expect(200);
      assert.equal(await code(), 'session_ended');
    }
  });

  it('has no effect with a false claim', async () => {
    const { sub, code } = await signOn(someEmail());
    for (const [what, claims, signing, header] of LIES) {
      const answer = await logOut(token({ sub, ...claims }, signing, header));
      assert.deepEqual([answer.status, answer.headers['cache-control']], [400, 'no-store'], what);
      assert.equal(answer.body.code, 'invalid_request', what);
    }
    assert.equal(await code(), 'User');
  });

  it('must not be an ID token, or of another provider', async () => {
    const { sub, code } = await signOn(someEmail());
    const ofIdToken = { sub, events: undefined, jti: undefined, nonce: newId() };
    const idToken = token(ofIdToken, 'right', { typ: 'JWT' });
    await logOut(idToken).expect(400);
    await post({ logout_token: token({ sub }) }, 'other').expect(400);
    const { issuer } = sso.provider('demo');
    await logOut(sso.provider('other').logoutToken({ iss: issuer, sub })).expect(400);
    await post({ logout_token: token({ sub }) }, 'nobody').expect(404);
    assert.equal(await code(), 'User');
  });

  it('is accepted in its form, whatever else a provider adds', async () => {
    const { sub, code } = await signOn(someEmail());
    const text = token({ sub });
    await post({}).expect(400);
    for (const odd of ['a.b.c', ` ${text}`, 'x'.repeat(20_000)]) await logOut(odd).expect(400);
    assert.equal(await code(), 'User');
    await post({ logout_token: text, added: 'by the provider' }).expect(200);
  });
});
