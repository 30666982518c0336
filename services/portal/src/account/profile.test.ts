import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { startPortal, type TestPortal } from '../testing/index.ts';

describe('/account/profile', () => {
  let portal: TestPortal;
  before(async () => {
    portal = await startPortal();
  });
  after(() => portal.stop());

  it('shows the caller’s own account, guests theirs too', async () => {
    for (const role of ['User', 'Guest', 'Admin'] as const) {
      const ann = await portal.newAccount({ role, displayName: 'Ann' });
      const { body, headers } = await portal.get('/account/profile', await portal.login(ann)).expect(200);
      assert.equal(headers['cache-control'], 'no-store');
      const { CreatedAt, ...rest } = body;
      assert.deepEqual(rest, {
        Id: ann.id,
        Email: ann.email,
        DisplayName: 'Ann',
        Locale: 'en',
        Role: role,
        TwoFactorEnabled: false,
      });
      assert.match(CreatedAt, /^\d{4}-.*Z$/);
    }
  });

  it('changes what is given and leaves the rest', async () => {
    const ann = await portal.newAccount();
    const who = await portal.login(ann);
    const put = async (given: object) =>
      (await portal.call('put', '/account/profile', who, given).expect(200)).body as Record<string, unknown>;
    const before = await put({});
    assert.equal(before['DisplayName'], null);
    assert.deepEqual(await put({ DisplayName: 'Ann' }), { ...before, DisplayName: 'Ann' });
    assert.deepEqual(await put({ Locale: 'de-AT' }), { ...before, DisplayName: 'Ann', Locale: 'de-AT' });
    assert.deepEqual((await portal.get('/account/profile', who)).body, await put({}));
  });

  it('assigns nothing that it does not name', async () => {
    const ann = await portal.newAccount();
    const who = await portal.login(ann);
    const overrides = {
      Role: 'Admin',
      Email: 'other@example.com',
      Id: ann.id,
      TwoFactorEnabled: true,
      IsDisabled: true,
    };
    const { body } = await portal.call('put', '/account/profile', who, overrides).expect(200);
    assert.deepEqual([body.Role, body.Email, body.TwoFactorEnabled], ['User', ann.email, false]);
  });

  it('says whether two-factor is on', async () => {
    const ann = await portal.newAccount();
    await query(
      portal.app.db,
      `insert into two_factor (account_id, secret_sealed, enabled_at) values (?, ?, now())`,
      [ann.id, Buffer.from('sealed')],
    );
    const { body } = await portal.get('/account/profile', await portal.login(ann));
    assert.equal(body.TwoFactorEnabled, true);
  });

  for (const bad of [
    { DisplayName: '' },
    { DisplayName: 'x'.repeat(101) },
    { DisplayName: 'Ann\r\nBcc: x' },
    { DisplayName: null },
    { DisplayName: ['Ann'] },
    { Locale: 'not a locale' },
    { Locale: '' },
  ]) {
    it(`refuses ${JSON.stringify(bad).slice(0, 40)}`, async () => {
      const who = await portal.login(await portal.newAccount());
      await portal.call('put', '/account/profile', who, bad).expect(400);
    });
  }

  it('is nothing for static tokens and strangers', async () => {
    const token = await portal.newToken();
    assert.equal((await portal.get('/account/profile', token).expect(403)).body.code, 'forbidden');
    await portal.get('/account/profile').expect(401);
    await portal.call('put', '/account/profile', token, {}).expect(403);
  });
});
