import assert from 'node:assert/strict';
import { PASSWORD, someAddress, type AccountRef } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { personClaims, startSso, type TestSso } from '../testing/browser.ts';

describe('a sign-on of an administrator in an app', function () {
  this.timeout(20_000);
  let sso: TestSso;
  let ann: AccountRef;
  before(async () => {
    sso = await startSso({ corp: {}, strong: { trustSecondFactor: true } });
  });
  after(() => sso.stop());
  beforeEach(async () => {
    ann = await sso.admin.newAccount({ role: 'Admin' });
  });

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
    const [row] = await query<{ by: string[]; ageSeconds: number | null }>(
      sso.admin.app.db,
      `select authenticated_by as by, extract(epoch from now() - authenticated_at)::float8 as "ageSeconds"
       from user_session where account_id = ? and ended_at is null`,
      [ann.id],
    );
    return { by: row?.by, minutes: row?.ageSeconds == null ? null : Math.floor(row.ageSeconds / 60) };
  };

  it('is a fresh proof if the provider authenticated them just then', async () => {
    await createToken(await signOn(0)).expect(201);
    assert.deepEqual(await authentication(), { by: ['sign-on'], minutes: 0 });
  });

  for (const [what, secondsAgo, minutes] of [
    ['had authenticated them an hour before', 3600, 60],
    ['does not say when it authenticated them', undefined, null],
  ] as const) {
    it(`is no fresh proof if the provider ${what}: dangerous actions need another one`, async () => {
      const token = await signOn(secondsAgo);
      assert.deepEqual(await authentication(), { by: ['sign-on'], minutes });
      await sso.admin.get('/admin/account', token).expect(200);
      assert.equal((await createToken(token).expect(403)).body.code, 'confirmation_required');
      await sso.admin.http
        .post('/console/session/confirm')
        .set({ authorization: `Bearer ${token}`, 'x-forwarded-for': someAddress() })
        .send({ Password: PASSWORD })
        .expect(204);
      await createToken(token).expect(201);
    });
  }

  it('counts as a second factor at providers that are trusted with it', async () => {
    await signOn(0, 'strong');
    assert.deepEqual((await authentication()).by, ['sign-on', 'second-factor']);
  });

  it('has the provider say when it authenticated them, and do so anew on request', async () => {
    const asked = async (search: string) => new URL(await sso.browser().begin('corp', search)).searchParams;
    const fresh = await asked('?fresh=true');
    assert.deepEqual([fresh.get('prompt'), fresh.get('max_age')], ['login', '0']);
    const plain = await asked('');
    assert.equal(plain.get('prompt'), null);
    assert.ok(Number(plain.get('max_age')) > 86_400);
  });
});
