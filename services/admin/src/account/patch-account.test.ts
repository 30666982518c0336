import assert from 'node:assert/strict';
import { atOnce, PASSWORD, someEmail, statusesOf, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { accounts } from '@gatehouse/db';
import { cast, problem } from '../testing/cast.ts';
import type { TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('PATCH /admin/account/{id}', () => {
  const { another, app, boss, history: audited, login, member, sql, standing: standingOf } = cast({});
  let other: TestAdmin;
  before(async () => (other = await another()));

  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change);
  const standing = (bearer: string) => standingOf(bearer, other.app);
  const someone = async () => {
    const person = await member();
    const session = await login(person);
    assert.equal(await standing(session.Token), 'User');
    return { ...person, ...session };
  };
  const selectSessionEvent =
    'select status, reason, changed_by as by from session_event where account_id = ? order by seq desc limit 1';
  const history = (accountId: string) =>
    sql<{ status: number; reason: string; by: string | null }>(selectSessionEvent, [accountId]);

  for (const [change, code, status, reason, loginStatus] of [
    [{ IsDisabled: true }, 'session_deactivated', 4, 'account_disabled', 3],
    [{ ExpiresAt: '2020-01-01T00:00:00Z' }, 'session_expired', 7, 'account_expired', 8],
    [{ NewPasswordRequired: true }, 'session_deactivated', 4, 'new_password_required', 7],
    [{ TwoFactorRequired: true }, 'session_deactivated', 4, 'two_factor_required', 1],
  ] as const) {
    const name = Object.keys(change)[0] ?? '';
    it(`ends the sessions with ${name} before the answer, and undoing it revives none`, async () => {
      const { id, Token } = await someone();
      const { body } = await patch(id, change).expect(200);
      assert.equal(await standing(Token), code);
      assert.equal(body.LoginStatus, loginStatus);
      assert.deepEqual(await history(id), [{ status, reason, by: boss.id }]);
      const undone = await patch(id, { [name]: name === 'ExpiresAt' ? null : false }).expect(200);
      assert.equal(undone.body.LoginStatus, undefined);
      assert.equal(await standing(Token), code);
      assert.equal(await standing((await login({ id })).Token), 'User');
    });
  }

  it('changes the role of an active session at once, in both directions', async () => {
    const { id, Token } = await someone();
    assert.equal((await patch(id, { Role: 'Admin' }).expect(200)).body.Role, 'Admin');
    assert.equal(await standing(Token), 'Admin');
    await other.get(PATH, Token).expect(200);
    await patch(id, { Role: 'User' }).expect(200);
    await other.get(PATH, Token).expect(problem('forbidden'));
  });

  it('expires an account on time, and extending it then revives no session', async () => {
    const { id, Token } = await someone();
    const soon = new Date(Date.now() + 1500);
    const { body } = await patch(id, { ExpiresAt: soon.toISOString() }).expect(200);
    assert.deepEqual([body.ExpiresAt, body.LoginStatus], [soon.toISOString(), undefined]);
    assert.equal(await standing(Token), 'User');
    await eventually(async () => (await standing(Token)) === 'session_expired', 5);
    assert.equal((await boss.read(`${PATH}/${id}`)).LoginStatus, 8);
    await patch(id, { ExpiresAt: '2999-12-31T23:59:59+01:00' }).expect(200);
    assert.equal(await standing(Token), 'session_expired');
  });

  it('revives no session of an account that expired unnoticed, either', async () => {
    const { id, Token } = await someone();
    await patch(id, { ExpiresAt: new Date(Date.now() + 300).toISOString() }).expect(200);
    const hasExpired = 'select 1 from account where id = ? and expires_at <= now()';
    await eventually(async () => (await sql(hasExpired, [id])).length === 1);
    assert.equal((await patch(id, { ExpiresAt: null }).expect(200)).body.LoginStatus, undefined);
    assert.equal(await standing(Token), 'session_expired');
  });

  it('keeps a session that has the second factor that is now required', async () => {
    const { id, Token } = await someone();
    await switchOnTwoFactor(app(), id);
    assert.equal((await patch(id, { TwoFactorRequired: true }).expect(200)).body.LoginStatus, 2);
    assert.equal(await standing(Token), 'User');
  });

  it('can make a guest a user, but not a user a guest or a pending guest a user', async () => {
    const guest = await member({ role: 'Guest' });
    const { Token } = await login(guest);
    await patch(guest.id, { Role: 'Guest' }).expect(200);
    assert.equal(await standing(Token), 'Guest');
    await patch(guest.id, { Role: 'User' }).expect(200);
    assert.equal(await standing(Token), 'session_deactivated');
    const session = await login(guest);
    assert.equal(await standing(session.Token), 'User');
    assert.deepEqual((await history(guest.id))[0]?.status, 1);
    await patch(guest.id, { Role: 'Guest' }).expect(problem('conflict'));

    const pending = await member({ role: 'Guest' });
    await pending.set(`signup = 'invitation', password_hash = null, password_scheme = null`);
    await patch(pending.id, { Role: 'User' }).expect(409);
    await patch(pending.id, { NewPasswordRequired: true }).expect(409);
    assert.equal((await patch(pending.id, { IsDisabled: true }).expect(200)).body.LoginStatus, 3);
  });

  it('changes only the given fields, never the email or the password', async () => {
    const { id, email, Token } = await someone();
    await patch(id, { DisplayName: 'Ann', TwoFactorRequired: false }).expect(200);
    const before = await accounts.findById(app().db, id);
    const { body } = await patch(id, {}).expect(200);
    assert.deepEqual([body.Id, body.Email, body.DisplayName], [id, email, 'Ann']);
    for (const more of [{ Password: PASSWORD }, { Email: someEmail() }])
      await patch(id, { ...more, DisplayName: 'Bob' }).expect(400);
    assert.deepEqual(await accounts.findById(app().db, id), before);
    assert.equal(await standing(Token), 'User');
    const shown = await audited({ targetId: id }, 'action', 'details');
    assert.deepEqual(shown, [['account.changed', { DisplayName: 'changed' }]]);
  });
});

describe('the last administrator', () => {
  const { administrator, call, sql } = cast({});

  const patch = (who: { Token: string }, id: string, change: object) =>
    call('patch', `${PATH}/${id}`, who, change);
  const administrators = async (count: number) => {
    await sql(`update account set role = 'User'`);
    const made = await atOnce(count, administrator);
    return made as [(typeof made)[number], ...typeof made];
  };
  const selectAccount = `select 1 from account where role = 'Admin' and not is_disabled
       and (expires_at is null or expires_at > now())`;
  const enabled = async () => (await sql(selectAccount)).length;

  it('cannot be disabled, expired or demoted', async () => {
    const [only] = await administrators(1);
    for (const change of [
      { IsDisabled: true },
      { ExpiresAt: '2020-01-01T00:00:00Z' },
      { ExpiresAt: '2999-01-01T00:00:00Z' },
      { Role: 'User' },
      { Role: 'User', DisplayName: 'Demoted' },
    ])
      await patch(only, only.id, change).expect(problem('conflict'));
    const { body } = await patch(only, only.id, { Role: 'Admin', DisplayName: 'Still here' }).expect(200);
    assert.deepEqual([body.Role, body.DisplayName], ['Admin', 'Still here']);
  });

  for (const [who, assignment] of [
    ['a disabled one', 'is_disabled = true'],
    ['an expired one', 'expires_at = now()'],
    ['one who will expire', `expires_at = now() + interval '1 day'`],
    ['one whose email is not verified', 'email_verified_at = null'],
    ['one who has not completed it', `signup = 'migration', password_hash = null, password_scheme = null`],
  ] as const)
    it(`is also the last one if the other is ${who}`, async () => {
      const [one, second] = await administrators(2);
      await second?.set(assignment);
      await patch(one, one.id, { Role: 'User' }).expect(409);
      await patch(one, one.id, { IsDisabled: true }).expect(409);
    });

  it('remains when two demote each other concurrently, alone or in bulk', async () => {
    type Way = (who: { Token: string }, id: string) => ReturnType<typeof call>;
    const ways: Way[] = [
      (who, id) => patch(who, id, { Role: 'User' }),
      (who, id) => patch(who, id, { IsDisabled: true }),
      (who, id) => patch(who, id, { ExpiresAt: '2020-01-01T00:00:00Z' }),
      (who, id) => call('post', `${PATH}/bulk`, who, { Filter: { Ids: [id] }, Change: { IsDisabled: true } }),
    ];
    for (const demote of Array.from({ length: 5 }, () => ways).flat()) {
      const [one, second] = await administrators(2);
      assert.ok(second);
      const answers = await Promise.all([demote(one, second.id), demote(second, one.id)]);
      const statuses = statusesOf(answers);
      assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
      // The slower one was no longer an administrator, or was refused as the last one.
      assert.ok(statuses.some((status) => [401, 403, 409].includes(status)));
      assert.equal(await enabled(), 1);
    }
  });
});
