import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { personClaims, startSso, type TestSso } from '../testing/browser.ts';

interface SignIn {
  UserId: string | null;
  Email: string | null;
  Provider: string | null;
  Reason: string | null;
}

describe('sign-ons in the list of sign-ins', function () {
  this.timeout(20_000);
  let sso: TestSso;
  let token: { Token: string };
  before(async () => {
    sso = await startSso({ demo: { provisioning: 'jit' } });
    token = await sso.admin.newToken({ role: 'Admin' });
  });
  after(() => sso.stop());

  /** Waits for the newest sign-in with this result, which is written after the answer. */
  const newest = async (result: string): Promise<SignIn> => {
    const read = async () =>
      (await sso.admin.get(`/admin/sign-in?provider=demo&result=${result}`, token).expect(200)).body
        .Items as SignIn[];
    await eventually(async () => (await read()).length > 0);
    return (await read())[0] ?? assert.fail('nothing is recorded');
  };

  it('are shown with provider and reason, and with the account if there is one', async () => {
    const person = await sso.admin.newAccount();
    await sso.admin.app.db.raw('update account set is_disabled = true where id = ?', [person.id]);
    await sso.signOn('demo', personClaims(person.email));
    const refused = await newest('Refused');
    assert.deepEqual(
      [refused.Provider, refused.Reason, refused.UserId],
      ['demo', 'account_disabled', person.id],
    );
    await sso.signOn('demo', personClaims('new.person@example.com'));
    const opened = await newest('Succeeded');
    assert.deepEqual([opened.Provider, opened.Email], ['demo', 'new.person@example.com']);
  });

  it('are shown without an account, and without the email, if they belong to nobody', async () => {
    await sso.signOn('demo', { ...personClaims('unverified@example.com'), email_verified: false });
    await eventually(async () => (await newest('Refused')).Reason === 'email_not_verified');
    const { UserId, Email, ...shown } = await newest('Refused');
    assert.deepEqual([UserId, Email], [null, null]);
    assert.ok(!JSON.stringify(shown).includes('unverified@'));
  });
});
