import assert from 'node:assert/strict';
import { assertAudited, readAudit } from '@gatehouse/accounts/testing';
import { newPkce, startOAuthCore, type OAuthCore, type TestClient } from './testing.ts';
import { during } from '../testing/index.ts';

type SignedIn = Awaited<ReturnType<OAuthCore['signIn']>>;

describe('the consent to a client', () => {
  const core = during(() => startOAuthCore());
  let client: TestClient;
  let ann: SignedIn;
  before(async () => {
    [client, ann] = [await core.newClient(), await core.signIn()];
  });

  const ask = (more: Record<string, string> = {}, fields: object = {}, who = ann, of = client) =>
    core.authorize(who, { ...core.requestOf(of, newPkce().asked), ...more }, fields);
  const errorOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).back?.get('error');

  it('is asked for once, and for more when more is asked for', async () => {
    const third = await core.newClient({ isTrusted: false });
    const { Since: _, ConsentTo: digest, ...asked } = (await ask({}, {}, ann, third)).body;
    assert.match(digest ?? '', /^[\w-]{43}$/);
    assert.deepEqual(asked, {
      Kind: 'Consent',
      Client: { Name: third.name },
      Scopes: ['openid', 'email', 'offline_access'],
      Email: ann.email,
    });
    assert.equal(await errorOf({ prompt: 'none' }, {}, ann, third), 'consent_required');
    assert.equal(await errorOf({}, { Consent: 'denied' }, ann, third), 'access_denied');
    await assertAudited(core.app, 'consent.granted', {
      call: () => core.sendAuthorization(ann, core.requestOf(third, newPkce().asked), { Consent: 'granted' }),
      entry: {
        actorId: ann.id,
        targetKind: 'OauthClient',
        targetId: third.id,
        details: { Scopes: ['openid', 'email', 'offline_access'] },
      },
      secrets: [],
    });
    assert.ok((await ask({ prompt: 'none' }, {}, ann, third)).back?.has('code'));
    assert.equal((await ask({ scope: 'openid profile' }, {}, ann, third)).body['Kind'], 'Consent');
    assert.equal((await ask({ prompt: 'consent' }, {}, ann, third)).body['Kind'], 'Consent');
  });

  it('is not asked for by a trusted client, which may ask which account it is', async () => {
    assert.ok((await ask({ prompt: 'consent' })).back?.has('code'));
    assert.equal((await ask({ prompt: 'select_account' })).body['Email'], ann.email);
    assert.ok((await ask({ prompt: 'select_account' }, { Consent: 'granted' })).back?.has('code'));
  });

  for (const [given, asked] of [
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321/callback'],
    ['http://[::1]:8000/', 'http://[::1]:8001/'],
    ['http://localhost:3000/callback'],
    ['com.example.notes:/callback'],
  ] as const) {
    it(`is asked for each time before ${given} gets a code, which any program may listen to`, async () => {
      for (const isTrusted of [false, true]) {
        const notes = await core.newClient({ isPublic: true, isTrusted, redirectUris: [given] });
        const request = { redirect_uri: asked ?? given };
        const questions = ['Consent', 'consent_required'];
        for (const Consent of ['granted', undefined, 'granted']) {
          const { body } = await ask(request, {}, ann, notes);
          const silent = await errorOf({ ...request, prompt: 'none' }, {}, ann, notes);
          assert.deepEqual([body['Kind'], silent], questions);
          const answer = await ask(request, { Consent, ConsentTo: body['ConsentTo'] }, ann, notes);
          assert.equal(answer.back?.has('code') ?? false, Consent === 'granted');
        }
      }
      const secret = await core.newClient({ redirectUris: [given] });
      assert.ok((await ask({ redirect_uri: given, prompt: 'none' }, {}, ann, secret)).back?.has('code'));
    });
  }

  it('counts only for the session, the client and the scopes that were shown', async () => {
    const [third, bob] = [await core.newClient({ isTrusted: false }), await core.signIn()];
    const shown = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body['ConsentTo'] ?? '';
    const right = await shown({}, {}, ann, third);
    const other = await core.newClient({ isTrusted: false });
    for (const wrong of [
      await shown({}, {}, bob, third),
      await shown({ scope: 'openid' }, {}, ann, third),
      await shown({}, {}, ann, other),
      'x',
    ]) {
      const { body } = await ask({}, { Consent: 'granted', ConsentTo: wrong }, ann, third);
      assert.deepEqual([body['Kind'], body['ConsentTo']], ['Consent', right]);
    }
    assert.ok((await ask({}, { Consent: 'granted', ConsentTo: right }, ann, third)).back?.has('code'));
    // Bob has consented before, and is asked all the same.
    assert.ok((await ask({}, { Consent: 'granted' }, bob, third)).back?.has('code'));
    const { body } = await ask({}, { Consent: 'granted', ConsentTo: right }, bob, third);
    assert.deepEqual([body['Kind'], body['Email']], ['Consent', bob.email]);
  });

  it('is recorded where it changes something', async () => {
    const third = await core.newClient({ isTrusted: false });
    const count = async () =>
      (await readAudit(core.app, { action: 'consent.granted', targetId: third.id })).entries.length;
    await ask({}, { Consent: 'granted' }, ann, third);
    await ask({ prompt: 'consent' }, { Consent: 'granted' }, ann, third);
    assert.equal(await count(), 1);
    await ask({ scope: 'openid profile' }, { Consent: 'granted' }, ann, third);
    assert.equal(await count(), 2);
  });

  it('gives an account 120 codes a minute at most', async () => {
    const eve = await core.signIn();
    for (let batch = 1; batch <= 12; batch += 1) {
      const answers = await Promise.all(Array.from({ length: batch < 12 ? 10 : 15 }, () => ask({}, {}, eve)));
      assert.equal(answers.filter(({ back }) => back?.has('code')).length, 10);
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(refused.length, answers.length - 10);
      assert.ok(refused.every(({ body }) => body['code'] === 'too_many_requests'));
    }
    assert.ok((await ask()).back?.has('code'));
  });
});
