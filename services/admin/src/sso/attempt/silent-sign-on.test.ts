import assert from 'node:assert/strict';
import { PASSWORD } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { personClaims, useSso, problem } from '../testing/browser.ts';

type SignIn = Record<'UserId' | 'Email' | 'Provider' | 'Reason', string | null>;

describe('a sign-on of an administrator in an app', () => {
  const sso = useSso({ corp: {}, strong: { trustSecondFactor: true } });
  let ann: Awaited<ReturnType<typeof sso.member>>;
  beforeEach(async () => (ann = await sso.member({ role: 'Admin' })));

  /** Signs on, and returns the token. The provider authenticated the person this long ago, or does not say when. */
  const signOn = async (secondsAgo: number | undefined, id = 'corp'): Promise<string> => {
    const authTime =
      secondsAgo === undefined ? {} : { auth_time: Math.floor(Date.now() / 1000) - secondsAgo };
    const { parameters } = await sso.signOn(id, personClaims(ann.email, authTime));
    return parameters[`${id}_token`] ?? '';
  };
  const createToken = (token: string) =>
    sso.admin.post('/admin/api-token', token, { Name: 'lasting', Role: 'Admin' });
  const authentication = async () => {
    const statement = `select authenticated_by as by, extract(epoch
      from now() - authenticated_at)::float8 as "ageSeconds"
       from user_session where account_id = ? and ended_at is null`;
    const [row] = await sso.sql<{ by: string[]; ageSeconds: number | null }>(statement, [ann.id]);
    return { by: row?.by, minutes: row?.ageSeconds == null ? null : Math.floor(row.ageSeconds / 60) };
  };

  it('is a fresh proof if the provider authenticated them just then, and of a second factor if that is trusted', async () => {
    await createToken(await signOn(0)).expect(201);
    assert.deepEqual(await authentication(), { by: ['sign-on'], minutes: 0 });
    await signOn(0, 'strong');
    assert.deepEqual((await authentication()).by, ['sign-on', 'second-factor']);
  });

  for (const [what, secondsAgo, minutes] of [
    ['had authenticated them an hour before', 3600, 60],
    ['does not say when it authenticated them', undefined, null],
  ] as const)
    it(`is no fresh proof if the provider ${what}: dangerous actions need another one`, async () => {
      const token = await signOn(secondsAgo);
      assert.deepEqual(await authentication(), { by: ['sign-on'], minutes });
      await sso.admin.get('/admin/account', token).expect(200);
      await createToken(token).expect(problem('confirmation_required'));
      await sso.admin.post('/console/session/confirm', token, { Password: PASSWORD }).expect(204);
      await createToken(token).expect(201);
    });
});

describe('sign-ons in the list of sign-ins', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });

  /** Waits for the newest sign-in with this result, which is written after the answer. */
  const newest = async (result: string): Promise<SignIn> => {
    const path = `/admin/sign-in?provider=demo&result=${result}`;
    return eventually(async () => ((await sso.boss.read(path)).Items as SignIn[])[0]);
  };

  it('are shown with provider and reason, and with the account and its email if there is one', async () => {
    const person = await sso.member();
    await person.set('is_disabled = true');
    await sso.signOn('demo', personClaims(person.email));
    const refused = await newest('Refused');
    const shown = [refused.Provider, refused.Reason, refused.UserId];
    assert.deepEqual(shown, ['demo', 'account_disabled', person.id]);
    await sso.signOn('demo', personClaims('new.person@example.com'));
    const opened = await newest('Succeeded');
    assert.deepEqual([opened.Provider, opened.Email], ['demo', 'new.person@example.com']);
    await sso.signOn('demo', { ...personClaims('unverified@example.com'), email_verified: false });
    await eventually(async () => (await newest('Refused')).Reason === 'email_not_verified');
    const ofNobody = await newest('Refused');
    assert.equal(ofNobody.UserId, null);
    assert.ok(!JSON.stringify(ofNobody).includes('unverified@'));
  });
});
