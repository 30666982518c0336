import assert from 'node:assert/strict';
import { someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { personClaims } from '../testing/browser.ts';
import { startLinking, type TestLinking } from '../testing/linking.ts';

describe('a person who changes at the provider', function () {
  this.timeout(20_000);
  let app: TestLinking;
  before(async () => {
    app = await startLinking();
  });
  after(() => app.sso.stop());

  /** Somebody who has signed on with the provider that accounts follow, and what the account says of them by now. */
  const newPerson = async (overrides: Parameters<TestLinking['sso']['admin']['newAccount']>[0] = {}) => {
    const { id, email } = await app.sso.admin.newAccount({ ...overrides, email: someEmail() });
    const claims = personClaims(email);
    assert.equal(await app.signOn('leads', claims), id);
    const shown = async () => {
      const { email: address, displayName } = (await accounts.findById(app.sso.admin.app.db, id)) ?? {};
      return { email: address, displayName };
    };
    return { id, email, claims, shown };
  };
  const mailsTo = async (email: string) => (await app.sso.admin.app.mailsTo(email)).map(({ type }) => type);

  it('has the new name and address here after the next sign-on, and is told at both addresses', async () => {
    const { id, email, claims, shown } = await newPerson();
    assert.deepEqual(await shown(), { email, displayName: 'Ann Other' });
    const after = someEmail();
    for (let time = 0; time < 2; time += 1)
      assert.equal(await app.signOn('leads', { ...claims, email: after, name: 'Ann After' }), id);
    assert.deepEqual(await shown(), { email: after, displayName: 'Ann After' });
    assert.deepEqual((await app.audited(id)).slice(-2), [
      ['account.changed', 'System', { DisplayName: 'changed', Provider: 'leads' }],
      ['email.changed', 'System', { Provider: 'leads' }],
    ]);
    for (const address of [email, after])
      assert.deepEqual(
        (await mailsTo(address)).filter((type) => type === 'account.email-set'),
        ['account.email-set'],
      );
  });

  it('takes the address from a registration that nobody has verified', async () => {
    const { id, claims, shown } = await newPerson();
    const squatter = await app.newPending({});
    assert.equal(await app.signOn('leads', { ...claims, email: squatter.email }), id);
    assert.equal((await shown()).email, squatter.email);
    assert.deepEqual((await app.audited(id)).at(-1), [
      'email.changed',
      'System',
      { Provider: 'leads', RemovedId: squatter.id },
    ]);
  });

  it('keeps the address that an administrator has, that is taken, or that the provider does not vouch for', async () => {
    const other = await app.sso.admin.newAccount();
    for (const [role, says] of [
      ['Admin', { email: someEmail() }],
      ['User', { email: other.email }],
      ['User', { email: someEmail(), email_verified: false }],
      ['User', { email: `${someEmail()}.elsewhere.test` }],
      ['User', { email: undefined }],
    ] as const) {
      const { id, email, claims, shown } = await newPerson({ role });
      assert.equal(await app.signOn('leads', { ...claims, name: 'Ann After', ...says }), id);
      assert.deepEqual(await shown(), { email, displayName: 'Ann After' }, JSON.stringify(says));
    }
  });

  it('changes nothing by a sign-on that is refused, or that says nothing', async () => {
    const { id, email, claims, shown } = await newPerson();
    assert.equal(await app.signOn('leads', { sub: claims.sub }), id);
    await switchOnTwoFactor(app.sso.admin.app, id);
    const changed = { ...claims, email: someEmail(), name: 'Ann After' };
    assert.equal(await app.signOn('leads', changed), 'two_factor_required');
    assert.deepEqual(await shown(), { email, displayName: 'Ann Other' });
  });

  it('with a new subject is linked to the same account once an administrator has unlinked the old one', async () => {
    const { id, claims } = await newPerson();
    const anew = { ...claims, sub: 'in the new tenant' };
    assert.equal(await app.signOn('leads', anew), 'account_exists');
    const { Token } = await app.sso.admin.login(await app.sso.admin.newAccount({ role: 'Admin' }));
    const path = `/admin/account/${id}/identity`;
    const { body } = await app.sso.admin.get(path, Token).expect(200);
    await app.sso.admin.call('delete', `${path}/${body.Items[0].Number}`, Token).expect(204);
    assert.equal(await app.signOn('leads', anew), id);
    assert.deepEqual(await app.identities(id), [{ subject: anew.sub }]);
  });
});
