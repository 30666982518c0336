import assert from 'node:assert/strict';
import { PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { cast, problem, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('service accounts', () => {
  const { boss, get, history, login, mailTypes, mailsTo, member, sql } = cast({
    SINGLE_SESSION: true,
  });

  const make = (given: object) => boss.post(PATH, { Email: someEmail(), IsService: true, ...given });
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change);
  const newService = async () =>
    (await make({ Password: PASSWORD }).expect(201)).body as { Id: string; Email: string };

  const codeOf = async (accessToken: string) =>
    (await get('/admin/statistics/now', accessToken)).body.code as string | undefined;

  it('require a password and the role User', async () => {
    const { body } = await make({ Password: PASSWORD, DisplayName: 'Importer' }).expect(201);
    assert.deepEqual([body.IsService, body.Role, body.LoginStatus], [true, 'User', undefined]);
    const recorded = await history({ action: 'account.created', targetId: body.Id }, 'details');
    assert.deepEqual(recorded, [{ Role: 'User', IsService: true }]);
    await refusesEach(make, [
      [{}, '/Password'],
      [{ IsMigrated: true }, '/Password'],
      [{ Password: PASSWORD, Role: 'Admin' }, '/Role'],
    ]);
    assert.equal((await make({ Password: PASSWORD, IsService: false }).expect(201)).body.IsService, false);
  });

  it('can be filtered, and are never dormant', async () => {
    const { Id } = await newService();
    const person = await member();
    const statement = `update account set created_at = now() - interval '2 years' where id in (?, ?)`;
    await sql(statement, [Id, person.id]);
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    for (const [filter, Filter, expected] of [
      ['isService=true', { IsService: true }, [true, false]],
      ['isService=false', { IsService: false, Role: 'User' }, [false, true]],
      [`lastLoginBefore=${moment}`, { Role: 'User', LastLoginBefore: moment }, [false, true]],
    ] as const) {
      const bulk = { Filter, Change: { IsDisabled: true }, DryRun: true };
      const { Ids } = (await boss.post(`${PATH}/bulk`, bulk).expect(200)).body;
      for (const ids of [await boss.ids(`${PATH}?limit=200&${filter}`), Ids])
        assert.deepEqual([ids.includes(Id), ids.includes(person.id)], expected, filter);
    }
  });

  it('cannot get a higher role or a required second factor, in any order', async () => {
    const { Id } = await newService();
    for (const change of [{ Role: 'Admin' }, { TwoFactorRequired: true }])
      await patch(Id, change).expect(problem('conflict'));
    const administrator = await member({ role: 'Admin' });
    await patch(administrator.id, { IsService: true }).expect(409);
    const { body } = await patch(administrator.id, { IsService: true, Role: 'User' }).expect(200);
    assert.deepEqual([body.IsService, body.Role], [true, 'User']);
    await patch(Id, { IsService: false, Role: 'Admin' }).expect(200);
    const strict = await member();
    await patch(strict.id, { TwoFactorRequired: true }).expect(200);
    await patch(strict.id, { IsService: true }).expect(409);
    await patch(strict.id, { IsService: true, TwoFactorRequired: false }).expect(200);
    const guest = await member({ role: 'Guest' });
    await patch(guest.id, { IsService: true }).expect(409);
    const pending = (await boss.post(PATH, { Email: someEmail() }).expect(201)).body.Id as string;
    await patch(pending, { IsService: true }).expect(409);
    const bulk = { Filter: { Ids: [strict.id] }, Change: { TwoFactorRequired: true } };
    const { Skipped, Ids } = (await boss.post(`${PATH}/bulk`, bulk).expect(200)).body;
    assert.deepEqual([Skipped, Ids], [1, []]);
  });

  it('cannot get them by concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await member();
      const answers = await Promise.all([patch(id, { IsService: true }), patch(id, { Role: 'Admin' })]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
    }
  });

  it('end all sessions when they become or stop being service accounts', async () => {
    const person = await member();
    const before = await login(person);
    await patch(person.id, { IsService: true, DisplayName: 'Importer' }).expect(200);
    assert.equal(await codeOf(before.Token), 'session_deactivated');
    const revive = (SessionId: string) => boss.post('/admin/user-session', { SessionId, Status: 1 });
    await revive(before.sessionId).expect(409);
    const [one, two] = [await login(person), await login(person)];
    assert.deepEqual([await codeOf(one.Token), await codeOf(two.Token)], ['forbidden', 'forbidden']);
    await patch(person.id, { IsService: true }).expect(200);
    assert.equal(await codeOf(one.Token), 'forbidden');
    await patch(person.id, { IsService: false }).expect(200);
    for (const { Token, sessionId } of [one, two]) {
      assert.equal(await codeOf(Token), 'session_deactivated');
      await revive(sessionId).expect(409);
    }
    const earlier = await login(person);
    await login(person);
    assert.equal(await codeOf(earlier.Token), 'session_replaced');
    const found = await history({ action: 'account.changed', targetId: person.id }, 'details');
    assert.deepEqual(found, [{ IsService: false }, { IsService: true, DisplayName: 'changed' }]);
  });

  it('can have several sessions reactivated, unlike users', async () => {
    const { Id } = await newService();
    const sessions = [await login({ id: Id }), await login({ id: Id }), await login({ id: Id })];
    const set = (body: object) => boss.post('/admin/user-session', body).expect(200);
    await set({ UserId: Id, Status: 4 });
    await set({ SessionId: sessions[0]?.sessionId, Status: 1 });
    await set({ Filter: { UserId: Id, Status: 4 }, Status: 1 });
    for (const { Token } of sessions) assert.equal(await codeOf(Token), 'forbidden');
    const newest = await login({ id: Id });
    for (const { Token } of [...sessions, newest]) assert.equal(await codeOf(Token), 'forbidden');
  });

  it('are mailed a code only if an administrator requests it', async () => {
    const { Id, Email } = await newService();
    await login({ id: Id }, { deviceName: 'replica 1' });
    await login({ id: Id }, { deviceName: 'replica 2' });
    assert.equal((await mailsTo(Email)).length, 0);
    await boss.post(`${PATH}/${Id}/reset-password`).expect(200);
    assert.deepEqual(await mailTypes(Email), ['account.password-reset-requested']);
  });
});
