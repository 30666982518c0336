import assert from 'node:assert/strict';
import { codeIn, readAudit, readTables, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';
const NO_PASSWORD = 'password_hash = null, password_scheme = null';

describe('inviting the owner of an account', function () {
  this.timeout(20_000);
  let admin: TestAdmin;
  let me: { id: string };
  let token: string;
  before(async () => {
    // Without a broker, events stay in the outbox, where they can be counted.
    admin = await startAdmin({ AMQP_URL: 'amqp://127.0.0.1:9' });
    me = await admin.newAccount({ role: 'Admin' });
    token = (await admin.login(me)).Token;
  });
  after(() => admin.stop());

  const create = (more: object = {}) =>
    admin.post(PATH, token, { Email: someEmail(), DisplayName: 'Ann', ...more });
  const newWaiting = async (more: object = {}) =>
    (await create(more).expect(201)).body as { Id: string; Email: string };
  const invite = (id: string) => admin.post(`${PATH}/${id}/invite`, token);
  const inviteAll = (given: object) => admin.post(`${PATH}/bulk/invite`, token, given);
  const mailsTo = (email: string) => admin.app.mailsTo(email);
  const invitations = async (id: string) =>
    (await readAudit(admin.app, { targetId: id })).entries.filter(
      ({ action }) => action === 'account.invited',
    );
  it('mails the owner of a new account a link for seven days if asked to, and nobody otherwise', async () => {
    const silent = await newWaiting();
    assert.deepEqual(await mailsTo(silent.Email), []);
    const { Id, Email } = await newWaiting({ Invite: true, Locale: 'de' });
    const [mail, ...others] = await mailsTo(Email);
    assert.deepEqual([mail?.type, others], ['account.invited', []]);
    const content = mail?.content as { Locale: string; CodeExpiresAt: string; IpAddress?: string };
    assert.equal(content.Locale, 'de');
    assert.equal(content.IpAddress, undefined);
    const days = (Date.parse(content.CodeExpiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 6.99 && days <= 7, String(days));
    const [entry] = await invitations(Id);
    assert.deepEqual([entry?.actorId, entry?.targetId], [me.id, Id]);
  });

  it('refuses to invite to an account with a password', async () => {
    for (const more of [{}, { IsService: true }]) {
      const { body } = await create({ Invite: true, Password: 'correct horse battery', ...more }).expect(400);
      assert.deepEqual(body.errors[0].pointer, '/Invite');
    }
  });

  it('sends another link, which invalidates the earlier one, up to five an hour', async () => {
    const { Id, Email } = await newWaiting({ Invite: true });
    const first = codeIn(await mailsTo(Email));
    for (let sent = 1; sent < 5; sent += 1) assert.deepEqual((await invite(Id).expect(200)).body, {});
    assert.notEqual(codeIn(await mailsTo(Email)), first);
    const { body, headers } = await invite(Id).expect(429);
    assert.equal(body.code, 'too_many_requests');
    assert.ok(Number(headers['retry-after']) > 3500);
    assert.equal((await mailsTo(Email)).length, 5);
    const codes = await query(admin.app.db, `select purpose from account_code where account_id = ?`, [Id]);
    assert.deepEqual(codes, [{ purpose: 'complete' }]);
  });

  for (const [state, status] of [
    [`signup = 'new', ${NO_PASSWORD}`, 200],
    [`signup = 'migration', ${NO_PASSWORD}`, 200],
    ['is_disabled = false', 409],
    ['email_verified_at = null', 409],
    [`signup = 'new', is_disabled = true, ${NO_PASSWORD}`, 409],
    [`signup = 'new', expires_at = now(), ${NO_PASSWORD}`, 409],
    [`signup = 'invitation', role = 'Guest', ${NO_PASSWORD}`, 409],
  ] as const) {
    it(`${status === 200 ? 'invites' : 'does not invite'} the owner of an account with ${state}`, async () => {
      const { id, email } = await admin.newAccount();
      await query(admin.app.db, `update account set ${state} where id = ?`, [id]);
      await invite(id).expect(status);
      assert.equal((await mailsTo(email)).length, status === 200 ? 1 : 0);
      assert.equal((await invitations(id)).length, status === 200 ? 1 : 0);
    });
  }

  it('reports in a dry run whom it would mail, and then mails exactly those', async () => {
    const waiting = [await newWaiting(), await newWaiting({ IsMigrated: true }), await newWaiting()];
    const complete = await admin.newAccount();
    const [tired] = waiting;
    for (let sent = 0; sent < 5; sent += 1) await invite(tired?.Id ?? '').expect(200);
    const Filter = { Ids: [...waiting.map(({ Id }) => Id), complete.id] };
    const before = await readTables(admin.app);
    const { body: trial } = await inviteAll({ Filter, DryRun: true }).expect(200);
    assert.deepEqual(await readTables(admin.app), before);
    const invited = waiting
      .slice(1)
      .map(({ Id }) => Id)
      .toReversed();
    assert.deepEqual([trial.Ids, trial.Count, trial.Skipped], [invited, 2, 2]);
    const { body: done } = await inviteAll({ Filter }).expect(200);
    assert.deepEqual(done, trial);
    for (const { Id, Email } of waiting.slice(1)) {
      assert.equal((await mailsTo(Email)).length, 1);
      assert.equal((await invitations(Id)).length, 1);
    }
    assert.deepEqual(await mailsTo(complete.email), []);
  });

  it('mails nobody without a filter, or beyond the limit', async () => {
    await inviteAll({ Filter: {} }).expect(400);
    const many = `many-${newId()}`;
    await query(
      admin.app.db,
      `insert into account (id, email, email_key, role, signup)
       select gen_random_uuid(), '${many}-' || n || '@example.com', '${many}-' || n || '@example.com', 'User', 'new'
       from generate_series(1, 1001) n`,
    );
    assert.equal((await inviteAll({ Filter: { Search: many } }).expect(409)).body.code, 'conflict');
    const { body } = await inviteAll({ Filter: { Search: many, CreatedTo: new Date(0).toISOString() } });
    assert.equal(body.Count, 0);
    assert.deepEqual(await mailsTo(`${many}-1@example.com`), []);
  });
});
