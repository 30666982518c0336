import assert from 'node:assert/strict';
import { codeIn, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';
const NO_PASSWORD = 'password_hash = null, password_scheme = null';

describe('POST /admin/account/{id}/change-email', () => {
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

  const change = (id: string, body: object) => admin.post(`${PATH}/${id}/change-email`, token, body);
  const emailOf = async (id: string) => (await admin.get(`${PATH}/${id}`, token).expect(200)).body.Email;
  const mailsTo = async (email: string) => (await admin.app.mailsTo(email)).map(({ type }) => type);
  const set = (id: string, columns: string) =>
    query(admin.app.db, `update account set ${columns} where id = ?`, [id]);
  const auditOf = async (id: string) =>
    (await readAudit(admin.app, { targetId: id })).entries.map(({ action, actorId }) => [action, actorId]);

  it('mails the new address a code, tells the present one, and changes nothing until it is confirmed', async () => {
    const { id, email } = await admin.newAccount();
    const Email = someEmail();
    assert.deepEqual((await change(id, { Email }).expect(200)).body, {});
    assert.equal(await emailOf(id), email);
    assert.deepEqual(await mailsTo(Email), ['account.email-change-requested']);
    assert.ok(codeIn(await admin.app.mailsTo(Email)));
    assert.deepEqual(await mailsTo(email), ['account.email-change-announced']);
    assert.deepEqual(await auditOf(id), [['email.change-requested', me.id]]);
  });

  it('changes it at once with Force: with mails to both, no way back, and without the earlier codes', async () => {
    const { id, email } = await admin.newAccount();
    await change(id, { Email: someEmail() }).expect(200);
    await query(
      admin.app.db,
      `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values (cast(? as text)::bytea, ?, 'x@example.com', 'x@example.com', now() + interval '1 day')`,
      [id, id],
    );
    const { Token } = await admin.login({ id });
    const Email = someEmail();
    await change(id, { Email, Force: true }).expect(200);
    assert.equal(await emailOf(id), Email);
    assert.deepEqual(await mailsTo(Email), ['account.email-set']);
    assert.deepEqual((await mailsTo(email)).at(-1), 'account.email-set');
    const left =
      'select account_id from account_code where account_id = ? union all select account_id from email_change where account_id = ?';
    assert.deepEqual(await query(admin.app.db, left, [id, id]), []);
    assert.notEqual((await admin.app.auth.authenticate(`Bearer ${Token}`)).kind, 'refused');
    assert.deepEqual((await auditOf(id))[0], ['email.changed', me.id]);
    assert.equal((await admin.get(`${PATH}/${id}`, token)).body.LoginStatus, undefined);
  });

  it('leaves an address unverified that nobody had verified', async () => {
    const { id } = await admin.newAccount();
    await set(id, 'email_verified_at = null');
    await change(id, { Email: someEmail(), Force: true }).expect(200);
    assert.equal((await admin.get(`${PATH}/${id}`, token)).body.LoginStatus, 4);
  });

  it('replaces a registration of the address that nobody has verified, but not the account itself', async () => {
    const [one, other] = [await admin.newAccount(), await admin.newAccount()];
    for (const { id } of [one, other]) await set(id, 'email_verified_at = null');
    await change(one.id, { Email: other.email, Force: true }).expect(200);
    assert.equal(await emailOf(one.id), other.email);
    await admin.get(`${PATH}/${other.id}`, token).expect(404);
    await change(one.id, { Email: other.email.replace('person', 'Person'), Force: true }).expect(200);
  });

  it('says that an address is taken, and mails nobody', async () => {
    const [one, other] = [await admin.newAccount(), await admin.newAccount()];
    for (const Force of [true, false]) {
      const { body } = await change(one.id, { Email: other.email.toUpperCase(), Force }).expect(409);
      assert.equal(body.code, 'email_taken');
    }
    assert.equal(await emailOf(one.id), one.email);
    assert.deepEqual([await mailsTo(one.email), await mailsTo(other.email)], [[], []]);
  });

  for (const [state, asked, forced] of [
    ['is_disabled = true', 409, 200],
    ['email_verified_at = null', 409, 200],
    [`signup = 'new', ${NO_PASSWORD}`, 409, 200],
    [`signup = 'invitation', role = 'Guest', ${NO_PASSWORD}`, 409, 409],
  ] as const)
    it(`answers ${asked}, and ${forced} with Force, for an account with ${state}`, async () => {
      const { id } = await admin.newAccount();
      await set(id, state);
      await change(id, { Email: someEmail() }).expect(asked);
      await change(id, { Email: someEmail(), Force: true }).expect(forced);
    });

  it('is refused for one’s own account, for the same address, and beyond the hourly limit of codes', async () => {
    assert.equal(
      (await change(me.id, { Email: someEmail(), Force: true }).expect(409)).body.code,
      'own_account',
    );
    const { id, email } = await admin.newAccount();
    assert.equal((await change(id, { Email: email, Force: true }).expect(409)).body.code, 'conflict');
    for (let sent = 0; sent < 5; sent += 1) await change(id, { Email: someEmail() }).expect(200);
    const Email = someEmail();
    const { body } = await change(id, { Email }).expect(429);
    assert.equal(body.code, 'too_many_requests');
    assert.deepEqual(await mailsTo(Email), []);
  });
});
