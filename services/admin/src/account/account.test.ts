import assert from 'node:assert/strict';
import { PASSWORD, someEmail, statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem, refusesEach } from '../testing/cast.ts';
import { endBans } from './change.ts';

const PATH = '/admin/account';

describe('/admin/account', () => {
  const { app, audit, boss, get, history, login, member } = cast();

  const add = async (given: object = {}) =>
    (await boss.post(PATH, { Email: someEmail(), ...given }).expect(201)).body;

  it('creates a verified account with a password, returns it, and records it without personal data', async () => {
    const Email = `Some.One.${newId()}@Bücher.example`;
    const given = { Email, Password: PASSWORD, DisplayName: 'Some One', Role: 'Admin', Locale: 'de-AT' };
    const { body, headers } = await boss.post(PATH, given).expect(201);
    const { Id, CreatedAt, ...rest } = body;
    assert.equal(headers['location'], `${PATH}/${Id}`);
    assert.match(CreatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      Email: Email.replace('Bücher', 'xn--bcher-kva'),
      ...{ DisplayName: 'Some One', Locale: 'de-AT', Role: 'Admin', Groups: [], GroupSources: [] },
      ...{ IsDisabled: false, DisabledUntil: null, DisabledReason: null, TellReason: false },
      ...{
        HasPassword: true,
        HasPasskey: false,
        NewPasswordRequired: false,
        SessionLimit: null,
        IsService: false,
      },
      ...{ TwoFactorEnabled: false, TwoFactorRequired: false },
      ...{ ErasesAt: null, ExpiresAt: null, LastLoginAt: null },
    });
    const session = await login({ id: Id });
    const shown = await get(`${PATH}/${Id}`, session).expect(200);
    assert.ok(Date.parse(shown.body.LastLoginAt) >= Date.parse(CreatedAt));
    assert.deepEqual({ ...shown.body, LastLoginAt: null }, body);
    const { entries, text } = await audit({ action: 'account.created', targetId: Id });
    const [{ actorId, details } = assert.fail(), ...others] = entries;
    assert.deepEqual([actorId, details, others], [boss.id, { Role: 'Admin' }, []]);
    for (const secret of [body.Email, 'Some One', PASSWORD]) assert.ok(!text.includes(secret), secret);
  });

  it('refuses a taken email, in any case and state', async () => {
    const { Email } = await add();
    for (const taken of [Email, Email.toUpperCase(), ` ${Email}`])
      await boss.post(PATH, { Email: taken, Password: PASSWORD }).expect(problem('email_taken'));
    const Shared = someEmail();
    const answers = await atOnce(8, () => boss.post(PATH, { Email: Shared }));
    assert.deepEqual(statusesOf(answers), [201, ...Array<number>(7).fill(409)]);
  });

  it('replaces a registration that nobody has verified, unless an administrator has decided about it', async () => {
    const registered = async (sets: string) => {
      const person = await member();
      await person.set(`email_verified_at = null, ${sets}`);
      return person;
    };
    const { id, email } = await registered('is_contested = true');
    const { body } = await boss.post(PATH, { Email: email, Invite: true }).expect(201);
    assert.notEqual(body.Id, id);
    await boss.get(`${PATH}/${id}`).expect(404);
    const recorded = await history({ action: 'account.created', targetId: body.Id }, 'details');
    assert.deepEqual(recorded, [{ LoginStatus: 5, Role: 'User', RemovedId: id }]);
    const decisions = ['is_disabled = true', 'is_service = true', `role = 'Admin'`, 'expires_at = now()'];
    for (const decision of decisions) {
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

describe('the groups of an account', () => {
  const { history, boss } = cast();

  const create = async (Groups: string[]) =>
    (await boss.post(PATH, { Email: someEmail(), Groups }).expect(201)).body;
  const patch = (id: string, Groups: unknown) => boss.patch(`${PATH}/${id}`, { Groups });

  it('are replaced as a whole, each once and sorted, and recorded in the audit', async () => {
    const { Id, Groups } = await create(['sales', 'admins', 'sales']);
    assert.deepEqual(Groups, ['admins', 'sales']);
    assert.deepEqual((await patch(Id, ['sales', 'Sales']).expect(200)).body.Groups, ['Sales', 'sales']);
    await patch(Id, ['sales', 'Sales', 'Sales']).expect(200);
    assert.deepEqual((await patch(Id, []).expect(200)).body.Groups, []);
    assert.deepEqual(await history({ targetId: Id }, 'action', 'details'), [
      ['account.changed', { Groups: [] }],
      ['account.changed', { Groups: ['Sales', 'sales'] }],
      ['account.created', { LoginStatus: 5, Role: 'User', Groups: ['admins', 'sales'] }],
    ]);
  });

  it('find the accounts that have one, in lists and bulk changes', async () => {
    const group = `g-${newId()}`;
    const [one, other] = [await create([group, 'a']), await create(['z', group])];
    await create([`${group}x`]);
    const body = await boss.read(`${PATH}?group=${group}&count=true`);
    assert.deepEqual([fieldsOf(body.Items, 'Id'), body.Count], [[other.Id, one.Id], 2]);
    const change = { Filter: { Group: group }, Change: { TwoFactorRequired: true } };
    assert.deepEqual((await boss.post(`${PATH}/bulk`, change).expect(200)).body.Ids, [other.Id, one.Id]);
    await boss.get(`${PATH}?group=a%2Cb`).expect(400);
  });
});

const HOUR_MS = 3_600_000;

describe('disabling an account for a time', () => {
  const { app, history, boss, eventsOf, login, member, sql, standing } = cast({});

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change);
  const read = (id: string) => boss.read(`${PATH}/${id}`);
  const list = (filter: string) => boss.ids(`${PATH}?${filter}`);
  const BAN = ['IsDisabled', 'LoginStatus', 'DisabledUntil', 'DisabledReason', 'TellReason'];
  const banOf = (account: Record<string, unknown>) => BAN.map((name) => account[name]);

  it('ends by itself at once, and then is recorded once: in the audit and as an event', async () => {
    const { id } = await member();
    const { Token } = await login({ id });
    const DisabledUntil = inMs(HOUR_MS);
    const ban = { IsDisabled: true, DisabledUntil, Reason: 'spam', TellReason: true };
    const { body } = await patch(id, ban).expect(200);
    assert.deepEqual(banOf(body), [true, 3, DisabledUntil, 'spam', true]);
    assert.deepEqual(await list(`loginStatus=3&disabledUntilBefore=${inMs(2 * HOUR_MS)}`), [id]);
    assert.equal(await standing(Token), 'session_deactivated');
    await sql('update account set disabled_until = now() where id = ?', [id]);
    assert.deepEqual(banOf(await read(id)), [false, undefined, null, null, false]);
    assert.deepEqual(await list('loginStatus=3'), []);
    await login({ id });
    assert.equal((await endBans(app())) + (await endBans(app())), 1);
    assert.deepEqual(await history({ targetId: id, action: 'account.changed' }, 'actorKind', 'details'), [
      ['System', { IsDisabled: false, DisabledUntil: null }],
      ['Account', { IsDisabled: true, DisabledUntil, TellReason: true, Reason: 'spam' }],
    ]);
    assert.deepEqual(await eventsOf(id, 'account.%'), [
      ['account.disabled', { UserId: id, DisabledUntil, ChangedBy: boss.id }],
      ['account.enabled', { UserId: id }],
    ]);
  });

  it('can be prolonged, is forgotten when an administrator enables it, and does not come back', async () => {
    const { id } = await member();
    const [first, second] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)];
    await patch(id, { IsDisabled: true, DisabledUntil: first, Reason: 'spam', TellReason: true }).expect(200);
    const longer = { Filter: { Ids: [id] }, Change: { IsDisabled: true, DisabledUntil: second } };
    assert.equal((await boss.post(`${PATH}/bulk`, longer).expect(200)).body.Count, 1);
    assert.deepEqual(banOf(await read(id)), [true, 3, second, 'spam', true]);
    await patch(id, { IsDisabled: false }).expect(200);
    const again = await patch(id, { IsDisabled: true }).expect(200);
    assert.deepEqual(banOf(again.body), [true, 3, null, null, false]);
  });

  it('is refused with an end in the past, or without disabling', async () => {
    const { id } = await member();
    await refusesEach(
      (change: object) => patch(id, change),
      [
        [{ IsDisabled: true, DisabledUntil: inMs(-1000) }, '/DisabledUntil'],
        [{ DisabledUntil: inMs(HOUR_MS) }, '/DisabledUntil'],
        [{ IsDisabled: false, TellReason: true }, '/TellReason'],
      ],
    );
    assert.equal((await read(id)).IsDisabled, false);
  });

  it('opens no account that is to be erased, and goes on if the erasure is taken back', async () => {
    const { id } = await member();
    const DisabledUntil = inMs(HOUR_MS);
    await patch(id, { IsDisabled: true, DisabledUntil, Reason: 'spam' }).expect(200);
    await boss.delete(`${PATH}/${id}`, {}).expect(202);
    assert.deepEqual(banOf(await read(id)), [true, 3, null, 'spam', false]);
    await patch(id, { IsDisabled: true, DisabledUntil }).expect(problem('conflict'));
    const bulk = { Filter: { Ids: [id] }, Change: { IsDisabled: true, DisabledUntil } };
    assert.equal((await boss.post(`${PATH}/bulk`, bulk).expect(200)).body.Count, 0);
    await assert.rejects(sql('update account set disabled_until = now() where id = ?', [id]));
    const restored = await boss.post(`${PATH}/${id}/restore`).expect(200);
    assert.deepEqual(banOf(restored.body), [true, 3, DisabledUntil, 'spam', false]);
  });
});
