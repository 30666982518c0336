import assert from 'node:assert/strict';
import { PASSWORD, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { accounts } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('/admin/account', () => {
  let admin: TestAdmin;
  let me: string;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    const person = await admin.newAccount({ role: 'Admin' });
    me = person.id;
    token = (await admin.login(person)).Token;
  });
  after(() => admin.stop());

  const add = async (given: object = {}) =>
    (await admin.post(PATH, token, { Email: someEmail(), ...given }).expect(201)).body;

  it('creates a verified account with a password, and returns it', async () => {
    const Email = `Some.One.${newId()}@Bücher.example`;
    const given = { Email, Password: PASSWORD, DisplayName: 'Some One', Role: 'Admin', Locale: 'de-AT' };
    const { body, headers } = await admin.post(PATH, token, given).expect(201);
    const { Id, CreatedAt, ...rest } = body;
    assert.equal(headers['location'], `${PATH}/${Id}`);
    assert.match(CreatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      Email: Email.replace('Bücher', 'xn--bcher-kva'),
      DisplayName: 'Some One',
      Locale: 'de-AT',
      Role: 'Admin',
      IsService: false,
      IsDisabled: false,
      ErasesAt: null,
      ExpiresAt: null,
      TwoFactorEnabled: false,
      TwoFactorRequired: false,
      HasPassword: true,
      HasPasskey: false,
      NewPasswordRequired: false,
      SessionLimit: null,
      Groups: [],
      GroupSources: [],
      DisabledUntil: null,
      DisabledReason: null,
      TellReason: false,
      LastLoginAt: null,
    });
    const session = await admin.login({ id: Id });
    const shown = await admin.get(`${PATH}/${Id}`, session).expect(200);
    assert.ok(Date.parse(shown.body.LastLoginAt) >= Date.parse(CreatedAt));
    assert.deepEqual({ ...shown.body, LastLoginAt: null }, body);
  });

  it('creates one that waits for its owner without a password', async () => {
    const made = await add();
    assert.deepEqual([made.LoginStatus, made.Role, made.Locale, made.DisplayName], [5, 'User', 'en', null]);
    assert.equal((await add({ IsMigrated: true })).LoginStatus, 6);
    assert.equal((await add({ IsMigrated: false, Password: PASSWORD })).LoginStatus, undefined);
  });

  it('is recorded in the audit, without the email or the password', async () => {
    const { Id, Email } = await add({ Role: 'Admin', DisplayName: 'Nobody’s Canary' });
    const filter = { action: 'account.created', targetId: Id } as const;
    const { entries, text } = await readAudit(admin.app, filter);
    assert.deepEqual(
      entries.map(({ actorId, details }) => [actorId, details]),
      [[me, { Role: 'Admin', LoginStatus: 5 }]],
    );
    assert.ok(!text.includes(Email) && !text.includes('Canary'));
  });

  it('refuses a taken email, in any case and state', async () => {
    const { Email } = await add();
    for (const taken of [Email, Email.toUpperCase(), ` ${Email}`]) {
      const { body } = await admin.post(PATH, token, { Email: taken, Password: PASSWORD }).expect(409);
      assert.equal(body.code, 'email_taken');
    }
    const Shared = someEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(PATH, token, { Email: Shared })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [201, ...Array<number>(7).fill(409)]);
  });

  it('replaces a registration that nobody has verified, unless an administrator has decided about it', async () => {
    const registered = async (sets: string) => {
      const person = await admin.newAccount();
      const sql = `update account set email_verified_at = null, ${sets} where id = ?`;
      await query(admin.app.db, sql, [person.id]);
      return person;
    };
    const { id, email } = await registered('is_contested = true');
    const { body } = await admin.post(PATH, token, { Email: email, Invite: true }).expect(201);
    assert.notEqual(body.Id, id);
    await admin.get(`${PATH}/${id}`, token).expect(404);
    const { entries } = await readAudit(admin.app, { action: 'account.created', targetId: body.Id });
    assert.deepEqual(entries[0]?.details, { LoginStatus: 5, Role: 'User', RemovedId: id });
    for (const decision of [
      'is_disabled = true',
      'is_service = true',
      `role = 'Admin'`,
      'expires_at = now()',
    ]) {
      const kept = await registered(decision);
      await admin.post(PATH, token, { Email: kept.email }).expect(409);
    }
  });

  it('refuses an invalid account, naming the field', async () => {
    const Email = someEmail();
    for (const [given, pointer] of [
      [{}, '/Email'],
      [{ Email: 'nobody' }, '/Email'],
      [{ Email, Password: 'short' }, '/Password'],
      [{ Email, Password: 'password' }, '/Password'],
      [{ Email, Password: Email }, '/Password'],
      [{ Email, Role: 'Guest' }, '/Role'],
      [{ Email, Role: 'Service' }, '/Role'],
      [{ Email, Locale: 'not a locale' }, '/Locale'],
      [{ Email, IsMigrated: true, Password: PASSWORD }, '/IsMigrated'],
    ] as const) {
      const { body } = await admin.post(PATH, token, given).expect(400);
      assert.equal(body.errors[0].pointer, pointer, JSON.stringify(given));
    }
    assert.equal(await accounts.findByEmailKey(admin.app.db, Email), undefined);
    await admin.get(`${PATH}/x`, token).expect(400);
    assert.equal((await admin.get(`${PATH}/${newId()}`, token).expect(404)).body.code, 'not_found');
  });
});
