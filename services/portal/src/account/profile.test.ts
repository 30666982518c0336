import assert from 'node:assert/strict';
import { cast } from '../testing/cast.ts';

describe('/account/profile', () => {
  const { call, get, login, member, sql } = cast();

  it('returns the caller’s own account, also for guests', async () => {
    for (const role of ['User', 'Guest', 'Admin'] as const) {
      const ann = await member({ role, displayName: 'Ann' });
      const { body, headers } = await get('/account/profile', await login(ann)).expect(200);
      assert.equal(headers['cache-control'], 'no-store');
      const { CreatedAt, ...rest } = body;
      assert.deepEqual(rest, {
        Id: ann.id,
        Email: ann.email,
        DisplayName: 'Ann',
        Locale: 'en',
        Role: role,
        HasPassword: true,
        TwoFactorEnabled: false,
        TwoFactorRequired: false,
        RecoveryCodesLeft: 0,
      });
      assert.match(CreatedAt, /^\d{4}-.*Z$/);
    }
  });

  it('changes only the given fields', async () => {
    const ann = await member();
    const who = await login(ann);
    const put = async (given: object) =>
      (await call('put', '/account/profile', who, given).expect(200)).body as Record<string, unknown>;
    const before = await put({});
    assert.equal(before['DisplayName'], null);
    assert.deepEqual(await put({ DisplayName: 'Ann' }), { ...before, DisplayName: 'Ann' });
    assert.deepEqual(await put({ Locale: 'de-AT' }), { ...before, DisplayName: 'Ann', Locale: 'de-AT' });
    assert.deepEqual((await get('/account/profile', who)).body, await put({}));
  });

  it('publishes the names of the fields that the owner changed, and nothing if nothing changed', async () => {
    const ann = await member({ displayName: 'Ann Example' });
    const UserId = ann.id;
    const who = await login(ann);
    for (const given of [{ DisplayName: 'Ann Example' }, { DisplayName: 'Ann Other', Locale: 'de' }])
      await call('put', '/account/profile', who, given).expect(200);
    const events = await sql(
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ?`,
      [UserId],
    );
    const data = { UserId, Changed: ['DisplayName', 'Locale'], ChangedBy: UserId };
    assert.deepEqual(events, [{ data }]);
  });

  it('ignores unknown fields', async () => {
    const ann = await member();
    const who = await login(ann);
    const overrides = {
      Role: 'Admin',
      Email: 'other@example.com',
      Id: ann.id,
      TwoFactorEnabled: true,
      IsDisabled: true,
    };
    const { body } = await call('put', '/account/profile', who, overrides).expect(200);
    assert.deepEqual([body.Role, body.Email, body.TwoFactorEnabled], ['User', ann.email, false]);
  });

  it('shows whether there is a password, and whether two-factor is enabled or required', async () => {
    const ann = await member();
    await sql(
      `insert into two_factor (account_id, secret_sealed, password_version, enabled_at) values (?, ?, 0, now())`,
      [ann.id, Buffer.from('sealed')],
    );
    const who = await login(ann);
    const { body } = await get('/account/profile', who);
    assert.deepEqual([body.HasPassword, body.TwoFactorEnabled, body.TwoFactorRequired], [true, true, false]);
    await sql(
      `update account set two_factor_required = true, password_hash = null, password_scheme = null where id = ?`,
      [ann.id],
    );
    const { body: after } = await get('/account/profile', who);
    assert.deepEqual([after.HasPassword, after.TwoFactorRequired], [false, true]);
  });
});
