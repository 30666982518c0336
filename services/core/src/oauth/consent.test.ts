import assert from 'node:assert/strict';
import { assertAudited, PASSWORD, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { newPkce, type TestClient, useOAuth } from './testing.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('the consent to a client', () => {
  const { core, ann, ask, errorOf } = useOAuth();

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
    const call = () =>
      core.sendAuthorization(ann, core.requestOf(third, newPkce().asked), { Consent: 'granted' });
    const details = { Scopes: ['openid', 'email', 'offline_access'] };
    const entry = { actorId: ann.id, targetKind: 'OauthClient', targetId: third.id, details } as const;
    await assertAudited(core.app, 'consent.granted', { call, entry, secrets: [] });
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
  ] as const)
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

describe('the apps of an account', () => {
  const { core } = useOAuth();

  const appsOf = async (who: { Token: string }) => {
    const { body } = await core.get('/account/app', who).expect(200);
    return body.Items as { Id: string; Scopes: string[]; SignIns: number; GrantedAt: string | null }[];
  };
  const remove = (who: { Token: string }, id: string) => core.call('delete', `/account/app/${id}`, who);
  const signInTo = async (client: TestClient, who: { cookie: string }) => {
    await core.sendAuthorization(who, core.requestOf(client, newPkce().asked), { Consent: 'granted' });
    return core.open(client, who);
  };

  it('are those that it is signed in to, and those that it has allowed', async () => {
    const [ann, bob] = [await core.signIn(), await core.signIn()];
    const [trusted, asking] = [await core.newClient(), await core.newClient({ isTrusted: false })];
    assert.deepEqual(await appsOf(ann), []);
    for (const client of [trusted, trusted, asking]) await signInTo(client, ann);
    const found = await appsOf(ann);
    const facts = new Map(found.map(({ Id, SignIns, GrantedAt }) => [Id, [SignIns, GrantedAt?.at(-1)]]));
    assert.deepEqual(Object.fromEntries(facts), { [trusted.id]: [2, undefined], [asking.id]: [1, 'Z'] });
    const scopes = found.find(({ Id }) => Id === asking.id)?.Scopes;
    assert.deepEqual(scopes?.toSorted(), ['email', 'offline_access', 'openid']);
    assert.deepEqual(await appsOf(bob), []);

    // Another session shows the consent only, because the sign-ins were of the session that it replaced.
    assert.deepEqual(fieldsOf(await appsOf(await core.login(ann)), 'Id', 'SignIns'), [[asking.id, 0]]);
  });

  it('lose everything at once when they are removed, and ask again', async () => {
    const [ann, bob] = [await core.signIn(), await core.signIn()];
    const asking = await core.newClient({ isTrusted: false });
    const [tokens, others] = [await signInTo(asking, ann), await signInTo(asking, bob)];
    assert.equal((await core.refresh(asking, tokens.refresh_token)).status, 200);
    const entry = { actorId: ann.id, targetKind: 'OauthClient', targetId: asking.id } as const;
    const withdrawal = { call: () => remove(ann, asking.id), status: 204, entry, secrets: [] };
    await assertAudited(core.app, 'consent.withdrawn', withdrawal);
    assert.equal((await core.refresh(asking, tokens.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await core.refresh(asking, others.refresh_token)).status, 200);
    assert.deepEqual(await appsOf(ann), []);
    const again = await core.authorize(ann, core.requestOf(asking, newPkce().asked));
    assert.equal(again.body['Kind'], 'Consent');
    await remove(ann, asking.id).expect(404);
  });
});

describe('a client that asks for a fresh login has the same session proved again', () => {
  const { core, client, ann, ask, errorOf } = useOAuth();

  const setLogin = async (at: string) => {
    await core.sql(`update user_session set authenticated_at = ${at} where id = ?`, [ann.sessionId]);
    await core.sql('delete from session_confirmation where session_id = ?', [ann.sessionId]);
  };
  const sessions = async () =>
    (await core.sql('select 1 from user_session where account_id = ?', [ann.id])).length;

  for (const more of [{ prompt: 'login' }, { max_age: '0' }, { max_age: '600' }])
    it(`for ${JSON.stringify(more)}`, async () => {
      await setLogin(`now() - interval '1 hour'`);
      const before = await sessions();
      const { Since, Kind, Prompt } = (await ask(more)).body;
      assert.deepEqual([Kind, Prompt], ['Login', 'Confirm']);
      assert.equal((await ask(more, { Since })).body['Kind'], 'Login');
      const wrong = await ask(more, { Since, Password: 'wrong' });
      assert.deepEqual([wrong.status, wrong.body['code']], [403, 'wrong_password']);
      assert.ok((await ask(more, { Since, Password: PASSWORD })).back?.has('code'));
      // The proof counts for this request, also if the consent is asked afterwards, and for no other.
      assert.ok((await ask(more, { Since })).back?.has('code'));
      if (more.max_age !== '600') assert.equal((await ask(more)).body['Kind'], 'Login');
      assert.equal(await sessions(), before);
    });

  it('with the second factor, where there is one', async () => {
    const person = await core.newAccount();
    await switchOnTwoFactor(core.app, person.id);
    const bob = await core.signIn(person);
    const answer = await ask({ prompt: 'login' }, { Password: PASSWORD }, bob);
    assert.deepEqual([answer.status, answer.body['code']], [403, 'confirmation_required']);
  });

  it('but not silently', async () => {
    await setLogin(`now() - interval '1 hour'`);
    assert.equal(await errorOf({ prompt: 'none', max_age: '600' }), 'login_required');
    assert.ok((await ask({ prompt: 'none', max_age: '7200' })).back?.has('code'));
  });

  it('and where nobody is signed in, a login after the request is fresh', async () => {
    const parameters = { ...core.requestOf(client, newPkce().asked), prompt: 'login' };
    const { Since } = (await core.authorize(undefined, parameters)).body;
    const bob = await core.signIn();
    assert.ok((await core.authorize(bob, parameters, { Since })).back?.has('code'));
  });
});
