import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

describe('the own account', () => {
  const { call, eventsOf, get, login, member, newToken, sql } = cast();

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

  it('changes only the given fields, ignores others, and publishes the names of those that changed', async () => {
    const ann = await member();
    const who = await login(ann);
    const put = async (given: object) =>
      (await call('put', '/account/profile', who, given).expect(200)).body as Record<string, unknown>;
    const before = await put({});
    assert.equal(before['DisplayName'], null);
    assert.deepEqual(await put({ DisplayName: 'Ann' }), { ...before, DisplayName: 'Ann' });
    assert.deepEqual(await put({ Locale: 'de-AT' }), { ...before, DisplayName: 'Ann', Locale: 'de-AT' });
    const IGNORED = { Role: 'Admin', Email: 'other@example.com', TwoFactorEnabled: true, IsDisabled: true };
    assert.deepEqual((await get('/account/profile', who)).body, await put(IGNORED));
    const { id: UserId } = ann;
    assert.deepEqual(await eventsOf(UserId, 'account.updated'), [
      ['account.updated', { UserId, Changed: ['DisplayName'], ChangedBy: UserId }],
      ['account.updated', { UserId, Changed: ['Locale'], ChangedBy: UserId }],
    ]);
  });

  it('shows whether there is a password, and whether two-factor is enabled or required', async () => {
    const ann = await member();
    const factor = `insert into two_factor (account_id, secret_sealed, password_version, enabled_at)
      values (?, 'sealed', 0, now())`;
    await sql(factor, [ann.id]);
    const who = await login(ann);
    const shown = async () => {
      const { body } = await get('/account/profile', who);
      return [body.HasPassword, body.TwoFactorEnabled, body.TwoFactorRequired];
    };
    assert.deepEqual(await shown(), [true, true, false]);
    await ann.set('two_factor_required = true, password_hash = null, password_scheme = null');
    assert.deepEqual(await shown(), [false, true, true]);
  });

  it('distinguishes a free address from one that is taken, in any spelling, or waits for its owner', async () => {
    const [ann, pending] = [await member(), await member()];
    await pending.set('email_verified_at = null');
    const free = someEmail();
    const shouted = ann.email.replace('person', 'PERSON');
    const who = await newToken();
    for (const [typed, Email, IsAvailable] of [
      [free, free, true],
      [` ${shouted.replace('example.com', 'EXAMPLE.com')}`, shouted, false],
      [pending.email, pending.email, false],
    ] as const) {
      const path = `/account/email-availability?email=${encodeURIComponent(typed)}`;
      await get(path, who).expect(200, { Email, IsAvailable });
    }
  });
});
