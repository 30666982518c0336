import assert from 'node:assert/strict';
import { PASSWORD, readAudit, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('service accounts', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin({ SINGLE_SESSION: true });
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
    // Unpublished events stay in the outbox, where the tests read them.
    await admin.app.relay.stop();
  });
  after(() => admin.stop());

  const make = (given: object) => admin.post(PATH, token, { Email: someEmail(), IsService: true, ...given });
  const patch = (id: string, change: object) => admin.call('patch', `${PATH}/${id}`, token, change);
  const newService = async () =>
    (await make({ Password: PASSWORD }).expect(201)).body as { Id: string; Email: string };
  const list = async (search: string) =>
    (await admin.get(`${PATH}?limit=200&${search}`, token).expect(200)).body.Items as { Id: string }[];
  const has = async (search: string, id: string) => (await list(search)).some(({ Id }) => Id === id);
  const codeOf = async (accessToken: string) =>
    (await admin.get('/admin/statistics/now', accessToken)).body.code as string | undefined;

  it('require a password and the role User', async () => {
    const { body } = await make({ Password: PASSWORD, DisplayName: 'Importer' }).expect(201);
    assert.deepEqual([body.IsService, body.Role, body.LoginStatus], [true, 'User', undefined]);
    const { entries } = await readAudit(admin.app, { action: 'account.created', targetId: body.Id });
    assert.deepEqual(entries[0]?.details, { Role: 'User', IsService: true });
    for (const [given, pointer] of [
      [{}, '/Password'],
      [{ IsMigrated: true }, '/Password'],
      [{ Password: PASSWORD, Role: 'Admin' }, '/Role'],
    ] as const) {
      const refused = await make(given).expect(400);
      assert.equal(refused.body.errors[0].pointer, pointer);
    }
    assert.equal((await make({ Password: PASSWORD, IsService: false }).expect(201)).body.IsService, false);
  });

  it('can be filtered, and are never dormant', async () => {
    const { Id } = await newService();
    const person = await admin.newAccount();
    await query(
      admin.app.db,
      `update account set created_at = now() - interval '2 years' where id in (?, ?)`,
      [Id, person.id],
    );
    assert.deepEqual(
      [await has('isService=true', Id), await has('isService=true', person.id)],
      [true, false],
    );
    assert.deepEqual(
      [await has('isService=false', Id), await has('isService=false', person.id)],
      [false, true],
    );
    const dormant = `lastLoginBefore=${new Date(Date.now() + 3_600_000).toISOString()}`;
    assert.deepEqual([await has(dormant, Id), await has(dormant, person.id)], [false, true]);
    const bulk = (Filter: object) =>
      admin.post(`${PATH}/bulk`, token, { Filter, Change: { IsDisabled: true }, DryRun: true });
    const meant = (
      await bulk({ Role: 'User', LastLoginBefore: new Date(Date.now() + 3_600_000).toISOString() }).expect(
        200,
      )
    ).body.Ids as string[];
    assert.deepEqual([meant.includes(Id), meant.includes(person.id)], [false, true]);
    const services = (await bulk({ IsService: true }).expect(200)).body.Ids as string[];
    assert.deepEqual([services.includes(Id), services.includes(person.id)], [true, false]);
  });

  it('cannot get a higher role or a required second factor, in any order', async () => {
    const { Id } = await newService();
    for (const change of [{ Role: 'Admin' }, { TwoFactorRequired: true }])
      assert.equal((await patch(Id, change).expect(409)).body.code, 'conflict');
    const administrator = await admin.newAccount({ role: 'Admin' });
    await patch(administrator.id, { IsService: true }).expect(409);
    const { body } = await patch(administrator.id, { IsService: true, Role: 'User' }).expect(200);
    assert.deepEqual([body.IsService, body.Role], [true, 'User']);
    await patch(Id, { IsService: false, Role: 'Admin' }).expect(200);
    const strict = await admin.newAccount();
    await patch(strict.id, { TwoFactorRequired: true }).expect(200);
    await patch(strict.id, { IsService: true }).expect(409);
    await patch(strict.id, { IsService: true, TwoFactorRequired: false }).expect(200);
    const guest = await admin.newAccount({ role: 'Guest' });
    await patch(guest.id, { IsService: true }).expect(409);
    const pending = (await admin.post(PATH, token, { Email: someEmail() }).expect(201)).body.Id as string;
    await patch(pending, { IsService: true }).expect(409);
    const { Skipped, Ids } = (
      await admin
        .post(`${PATH}/bulk`, token, { Filter: { Ids: [strict.id] }, Change: { TwoFactorRequired: true } })
        .expect(200)
    ).body;
    assert.deepEqual([Skipped, Ids], [1, []]);
  });

  it('cannot get them by concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await admin.newAccount();
      const answers = await Promise.all([patch(id, { IsService: true }), patch(id, { Role: 'Admin' })]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
    }
  });

  it('end all sessions when they become or stop being service accounts', async () => {
    const person = await admin.newAccount();
    const before = await admin.login(person);
    await patch(person.id, { IsService: true, DisplayName: 'Importer' }).expect(200);
    assert.equal(await codeOf(before.Token), 'session_deactivated');
    const revive = (SessionId: string) => admin.post('/admin/user-session', token, { SessionId, Status: 1 });
    await revive(before.sessionId).expect(409);
    const [one, two] = [await admin.login(person), await admin.login(person)];
    assert.deepEqual([await codeOf(one.Token), await codeOf(two.Token)], ['forbidden', 'forbidden']);
    await patch(person.id, { IsService: true }).expect(200);
    assert.equal(await codeOf(one.Token), 'forbidden');
    await patch(person.id, { IsService: false }).expect(200);
    for (const { Token, sessionId } of [one, two]) {
      assert.equal(await codeOf(Token), 'session_deactivated');
      await revive(sessionId).expect(409);
    }
    const [earlier, later] = [await admin.login(person), await admin.login(person)];
    assert.deepEqual(
      [await codeOf(earlier.Token), await codeOf(later.Token)],
      ['session_replaced', 'forbidden'],
    );
    const { entries } = await readAudit(admin.app, { action: 'account.changed', targetId: person.id });
    assert.deepEqual(
      entries.map(({ details }) => details),
      [{ IsService: false }, { IsService: true, DisplayName: 'changed' }],
    );
  });

  it('can have several sessions reactivated, unlike users', async () => {
    const { Id } = await newService();
    const sessions = [
      await admin.login({ id: Id }),
      await admin.login({ id: Id }),
      await admin.login({ id: Id }),
    ];
    const set = (body: object) => admin.post('/admin/user-session', token, body).expect(200);
    await set({ UserId: Id, Status: 4 });
    await set({ SessionId: sessions[0]?.sessionId, Status: 1 });
    await set({ Filter: { UserId: Id, Status: 4 }, Status: 1 });
    for (const { Token } of sessions) assert.equal(await codeOf(Token), 'forbidden');
    const login = await admin.login({ id: Id });
    for (const { Token } of [...sessions, login]) assert.equal(await codeOf(Token), 'forbidden');
  });

  it('require a second factor that they have set up themselves', async () => {
    const { Id } = await newService();
    await switchOnTwoFactor(admin.app, Id);
    assert.equal((await admin.get(`${PATH}/${Id}`, token).expect(200)).body.LoginStatus, 2);
  });

  it('are mailed a code only if an administrator requests it', async () => {
    const { Id, Email } = await newService();
    await admin.login({ id: Id }, { deviceName: 'replica 1' });
    await admin.login({ id: Id }, { deviceName: 'replica 2' });
    assert.equal((await admin.app.mailsTo(Email)).length, 0);
    await admin.post(`${PATH}/${Id}/reset-password`, token).expect(200);
    assert.deepEqual(
      (await admin.app.mailsTo(Email)).map(({ type }) => type),
      ['account.password-reset-requested'],
    );
  });
});
