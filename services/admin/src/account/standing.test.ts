import assert from 'node:assert/strict';
import { failuresFor, setFailures, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { loginThrottle, throttleKeyText, type ThrottleKey } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('conditions that prevent a login', () => {
  const { app, boss, history, member, newContent, sql } = cast();

  const standingOf = async (id: string) => await boss.read(`${PATH}/${id}/standing`);
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change).expect(200);
  const unlock = (id: string) => boss.post(`${PATH}/${id}/unlock`, {});
  const block = async (key: ThrottleKey, failures: number) => {
    await setFailures(app(), key, failures);
    await sql("update login_throttle set blocked_until = now() + interval '1 minute' where email_key = ?", [
      throttleKeyText(key),
    ]);
  };

  it('are empty for an account that can log in', async () => {
    const { id } = await member();
    assert.deepEqual(await standingOf(id), {
      Reasons: [],
      Failures: 0,
      BlockedUntil: null,
      LastRefusedAt: null,
      HasPassword: true,
      PasswordScheme: 'peppered',
      RecoveryCodesLeft: 0,
      Passkeys: 0,
    });
  });

  it('have a start time and an actor, all at once', async () => {
    const { id } = await member();
    const earlier = Date.now();
    const ExpiresAt = '2020-01-02T03:04:05.000Z';
    await patch(id, { NewPasswordRequired: true, TwoFactorRequired: true });
    await patch(id, { IsDisabled: true, ExpiresAt });
    const { LoginStatus, Reasons } = await standingOf(id);
    assert.equal(LoginStatus, 3);
    assert.deepEqual(
      Reasons.map(({ Code, By }: { Code: string; By: string }) => [Code, By]),
      [
        ['account_disabled', boss.id],
        ['account_expired', boss.id],
        ['new_password_required', boss.id],
        ['two_factor_setup_required', boss.id],
      ],
    );
    assert.equal(Reasons[1].Since, ExpiresAt);
    for (const at of [0, 2, 3]) {
      const since = Date.parse(Reasons[at].Since);
      assert.ok(since >= earlier - 1000 && since <= Date.now() + 1000);
    }
    await patch(id, {
      IsDisabled: false,
      ExpiresAt: null,
      NewPasswordRequired: false,
      TwoFactorRequired: false,
    });
    assert.deepEqual((await standingOf(id)).Reasons, []);
  });

  it('have no actor if none is known', async () => {
    const { id } = await member();
    await patch(id, { IsDisabled: true, ExpiresAt: '2020-01-01T00:00:00Z' });
    await patch(id, { IsDisabled: false });
    await sql(
      "update account set is_disabled = true, expires_at = '2021-01-01', new_password_required = true where id = ?",
      [id],
    );
    assert.deepEqual((await standingOf(id)).Reasons, [
      { Code: 'account_disabled', Since: null, By: null },
      { Code: 'account_expired', Since: '2021-01-01T00:00:00.000Z', By: null },
      { Code: 'new_password_required', Since: null, By: null },
    ]);
  });

  it('include a pending sign-up, with the creator or inviter', async () => {
    for (const [given, Code, LoginStatus] of [
      [{}, 'signup_pending', 5],
      [{ IsMigrated: true }, 'migration_pending', 6],
    ] as const) {
      const made = await boss.post(PATH, { Email: `${newId()}@example.com`, ...given }).expect(201);
      const { Id, CreatedAt } = made.body;
      const found = await standingOf(Id);
      assert.deepEqual(found.Reasons, [{ Code, Since: CreatedAt, By: boss.id }]);
      assert.deepEqual(
        [found.LoginStatus, found.HasPassword, found.PasswordScheme],
        [LoginStatus, false, null],
      );
    }
    const { id } = await member();
    await sql('update account set email_verified_at = null where id = ?', [id]);
    const [reason] = (await standingOf(id)).Reasons;
    assert.deepEqual([reason.Code, reason.By], ['email_confirmation_pending', null]);

    const guest = await member({ role: 'Guest' });
    const content = await newContent();
    await sql(
      `update account set signup = 'invitation', password_hash = null, password_scheme = null where id = ?`,
      [guest.id],
    );
    await sql(
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_email, invited_at, expires_at)
       values (?, ?, ?, '', ?, '', '2026-01-02T00:00:00Z', now())`,
      [newId(), guest.id, content, boss.id],
    );
    assert.deepEqual((await standingOf(guest.id)).Reasons, [
      { Code: 'invitation_pending', Since: '2026-01-02T00:00:00.000Z', By: boss.id },
    ]);
  });

  it('include failures, throttling, and the number of recovery codes left', async () => {
    const { id, email } = await member();
    const { recoveryCodes } = await switchOnTwoFactor(app(), id);
    await sql(
      `update recovery_code set used_at = now()
       where code_hash = (select code_hash from recovery_code where account_id = ? limit 1)`,
      [id],
    );
    await loginThrottle.raise(app().db, failuresFor(email), 10);
    await block({ kind: 'second-factor', accountId: id }, 12);
    const found = await standingOf(id);
    assert.deepEqual(
      [found.LoginStatus, found.Reasons, found.Failures, found.RecoveryCodesLeft],
      [2, [], 12, recoveryCodes.length - 1],
    );
    assert.ok(Date.parse(found.BlockedUntil) > Date.now());
    assert.ok(Math.abs(Date.parse(found.LastRefusedAt) - Date.now()) < 60_000);
  });

  it('no longer include throttling once an administrator has cleared it, for any address, with one audit entry', async () => {
    const { id, email } = await member();
    const near = await member({ email: `a${email}` });
    const keys: ThrottleKey[] = [
      failuresFor(email),
      { kind: 'second-factor', accountId: id },
      { ...failuresFor(email), from: '192.0.2.1' },
      { kind: 'second-factor', accountId: id, from: '2001:db8::/64' },
    ];
    for (const key of [...keys, failuresFor(near.email)]) await block(key, 11);
    assert.deepEqual((await unlock(id).expect(200)).body, {});
    const found = await standingOf(id);
    assert.deepEqual([found.Failures, found.BlockedUntil, found.LastRefusedAt], [0, null, null]);
    for (const key of keys) assert.equal(await loginThrottle.findBlock(app().db, key), undefined);
    assert.notEqual(await loginThrottle.findBlock(app().db, failuresFor(near.email)), undefined);
    await unlock(id).expect(200);
    assert.deepEqual(await history({ action: 'account.unlocked', targetId: id }, 'actorId', 'details'), [
      [boss.id, { Failures: 44 }],
    ]);
  });

  it('count failures after an unlock again, including checks in progress', async () => {
    const { id, email } = await member();
    const key = failuresFor(email);
    const { db } = app();
    await setFailures(app(), key, 10);
    const underWay = await loginThrottle.raise(db, key, 10);
    assert.ok(underWay.admitted);
    assert.equal(underWay.failures, 11);
    await unlock(id).expect(200);
    await loginThrottle.settleFailure(db, key, underWay.check);
    const next = await loginThrottle.raise(db, key, 10);
    assert.deepEqual([next.admitted, next.failures], [true, 1]);
    // After unlocking in the middle of a burst, the count is correct for later attempts.
    const burst = await Promise.all([
      ...Array.from({ length: 20 }, () => loginThrottle.raise(db, key, 10)),
      unlock(id).expect(200),
      ...Array.from({ length: 20 }, () => loginThrottle.raise(db, key, 10)),
    ]);
    assert.equal(burst.length, 41);
    const { Failures } = await standingOf(id);
    assert.ok(Failures <= 41, `${Failures}`);
    await unlock(id).expect(200);
    assert.equal((await standingOf(id)).Failures, 0);
  });
});
