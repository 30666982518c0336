import assert from 'node:assert/strict';
import { PASSWORD, someEmail, statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { cast, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/account';

describe('/admin/account', () => {
  const { app, audit, boss, get, login, member, sql } = cast();

  const add = async (given: object = {}) =>
    (await boss.post(PATH, { Email: someEmail(), ...given }).expect(201)).body;

  it('creates a verified account with a password, and returns it', async () => {
    const Email = `Some.One.${newId()}@Bücher.example`;
    const given = { Email, Password: PASSWORD, DisplayName: 'Some One', Role: 'Admin', Locale: 'de-AT' };
    const { body, headers } = await boss.post(PATH, given).expect(201);
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
    const session = await login({ id: Id });
    const shown = await get(`${PATH}/${Id}`, session).expect(200);
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
    const { entries, text } = await audit(filter);
    assert.deepEqual(
      entries.map(({ actorId, details }) => [actorId, details]),
      [[boss.id, { Role: 'Admin', LoginStatus: 5 }]],
    );
    assert.ok(!text.includes(Email) && !text.includes('Canary'));
  });

  it('refuses a taken email, in any case and state', async () => {
    const { Email } = await add();
    for (const taken of [Email, Email.toUpperCase(), ` ${Email}`]) {
      const { body } = await boss.post(PATH, { Email: taken, Password: PASSWORD }).expect(409);
      assert.equal(body.code, 'email_taken');
    }
    const Shared = someEmail();
    const answers = await atOnce(8, () => boss.post(PATH, { Email: Shared }));
    const statuses = statusesOf(answers);
    assert.deepEqual(statuses, [201, ...Array<number>(7).fill(409)]);
  });

  it('replaces a registration that nobody has verified, unless an administrator has decided about it', async () => {
    const registered = async (sets: string) => {
      const person = await member();
      const statement = `update account set email_verified_at = null, ${sets} where id = ?`;
      await sql(statement, [person.id]);
      return person;
    };
    const { id, email } = await registered('is_contested = true');
    const { body } = await boss.post(PATH, { Email: email, Invite: true }).expect(201);
    assert.notEqual(body.Id, id);
    await boss.get(`${PATH}/${id}`).expect(404);
    const { entries } = await audit({ action: 'account.created', targetId: body.Id });
    assert.deepEqual(entries[0]?.details, { LoginStatus: 5, Role: 'User', RemovedId: id });
    for (const decision of [
      'is_disabled = true',
      'is_service = true',
      `role = 'Admin'`,
      'expires_at = now()',
    ]) {
      const kept = await registered(decision);
      await boss.post(PATH, { Email: kept.email }).expect(409);
    }
  });

  it('refuses an invalid account, naming the field', async () => {
    const Email = someEmail();
    await refusesEach(
      (given: object) => boss.post(PATH, given),
      [
        [{ Email, Password: 'password' }, '/Password'],
        [{ Email, Password: Email }, '/Password'],
        [{ Email, Role: 'Guest' }, '/Role'],
        [{ Email, IsMigrated: true, Password: PASSWORD }, '/IsMigrated'],
      ],
    );
    assert.equal(await accounts.findByEmailKey(app().db, Email), undefined);
  });
});
