import assert from 'node:assert/strict';
import { codeIn, someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../testing/cast.ts';

const PATH = '/admin/account';
const NO_PASSWORD = 'password_hash = null, password_scheme = null';

describe('inviting the owner of an account', () => {
  const { boss, history, mailsTo, member, sql } = cast();

  const create = (more: object = {}) => boss.post(PATH, { Email: someEmail(), DisplayName: 'Ann', ...more });
  const newWaiting = async (more: object = {}) =>
    (await create(more).expect(201)).body as { Id: string; Email: string };
  const invite = (id: string) => boss.post(`${PATH}/${id}/invite`);
  const inviteAll = (given: object) => boss.post(`${PATH}/bulk/invite`, given);
  const invitations = (id: string) => history({ action: 'account.invited', targetId: id }, 'actorId');

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
    assert.deepEqual(await invitations(Id), [boss.id]);
  });

  it('refuses to invite to an account with a password', async () => {
    for (const more of [{}, { IsService: true }]) {
      const given = { Invite: true, Password: 'correct horse battery', ...more };
      await create(given).expect(problem('invalid_request', '/Invite'));
    }
  });

  it('sends another link, which invalidates the earlier one, up to five an hour', async () => {
    const { Id, Email } = await newWaiting({ Invite: true });
    const first = codeIn(await mailsTo(Email));
    for (let sent = 1; sent < 5; sent += 1) assert.deepEqual((await invite(Id).expect(200)).body, {});
    assert.notEqual(codeIn(await mailsTo(Email)), first);
    const { headers } = await invite(Id).expect(problem('too_many_requests'));
    assert.ok(Number(headers['retry-after']) > 3500);
    assert.equal((await mailsTo(Email)).length, 5);
    const codes = await sql(`select purpose from account_code where account_id = ?`, [Id]);
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
  ] as const)
    it(`${status === 200 ? 'invites' : 'does not invite'} the owner of an account with ${state}`, async () => {
      const { id, email, set } = await member();
      await set(state);
      await invite(id).expect(status);
      assert.equal((await mailsTo(email)).length, status === 200 ? 1 : 0);
      assert.equal((await invitations(id)).length, status === 200 ? 1 : 0);
    });

  it('mails each owner who waits and is below the limit, and nobody else', async () => {
    const waiting = [await newWaiting(), await newWaiting({ IsMigrated: true }), await newWaiting()];
    const complete = await member();
    const [tired = '', second, third] = waiting.map(({ Id }) => Id);
    for (let sent = 0; sent < 5; sent += 1) await invite(tired).expect(200);
    const Filter = { Ids: [tired, second, third, complete.id] };
    const { body } = await inviteAll({ Filter }).expect(200);
    assert.deepEqual([body.Ids, body.Count, body.Skipped], [[third, second], 2, 2]);
    for (const { Id, Email } of waiting.slice(1)) {
      assert.equal((await mailsTo(Email)).length, 1);
      assert.equal((await invitations(Id)).length, 1);
    }
    assert.deepEqual(await mailsTo(complete.email), []);
  });

  it('mails nobody beyond the limit', async () => {
    const many = `many-${newId()}`;
    await sql(`insert into account (id, email, email_key, role, signup)
       select gen_random_uuid(), '${many}-' || n || '@example.com', '${many}-' || n || '@example.com', 'User', 'new'
       from generate_series(1, 1001) n`);
    await inviteAll({ Filter: { Search: many } }).expect(problem('conflict'));
    const { body } = await inviteAll({ Filter: { Search: many, CreatedTo: new Date(0).toISOString() } });
    assert.equal(body.Count, 0);
    assert.deepEqual(await mailsTo(`${many}-1@example.com`), []);
  });
});

describe('POST /admin/account/{id}/change-email', () => {
  const { boss, history, login, mailTypes, mailsTo, member, sql, standing } = cast();

  const change = (id: string, body: object) => boss.post(`${PATH}/${id}/change-email`, body);
  const emailOf = async (id: string) => (await boss.read(`${PATH}/${id}`)).Email;
  const auditOf = (id: string) => history({ targetId: id }, 'action', 'actorId');

  it('mails the new address a code, tells the present one, and changes nothing until it is confirmed', async () => {
    const { id, email } = await member();
    const Email = someEmail();
    assert.deepEqual((await change(id, { Email }).expect(200)).body, {});
    assert.equal(await emailOf(id), email);
    assert.deepEqual(await mailTypes(Email), ['account.email-change-requested']);
    assert.ok(codeIn(await mailsTo(Email)));
    assert.deepEqual(await mailTypes(email), ['account.email-change-announced']);
    assert.deepEqual(await auditOf(id), [['email.change-requested', boss.id]]);
  });

  it('changes it at once with Force: with mails to both, no way back, and without the earlier codes', async () => {
    const { id, email } = await member();
    await change(id, { Email: someEmail() }).expect(200);
    const statement = `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values (cast(? as text)::bytea, ?, 'x@example.com', 'x@example.com', now() + interval '1 day')`;
    await sql(statement, [id, id]);
    const { Token } = await login({ id });
    const Email = someEmail();
    await change(id, { Email, Force: true }).expect(200);
    assert.equal(await emailOf(id), Email);
    assert.deepEqual(await mailTypes(Email), ['account.email-set']);
    assert.deepEqual((await mailTypes(email)).at(-1), 'account.email-set');
    const left =
      'select account_id from account_code where account_id = ? union all select account_id from email_change where account_id = ?';
    assert.deepEqual(await sql(left, [id, id]), []);
    assert.equal(await standing(Token), 'User');
    assert.deepEqual((await auditOf(id))[0], ['email.changed', boss.id]);
    assert.equal((await boss.get(`${PATH}/${id}`)).body.LoginStatus, undefined);
  });

  it('leaves an address unverified that nobody had verified', async () => {
    const { id, set } = await member();
    await set('email_verified_at = null');
    await change(id, { Email: someEmail(), Force: true }).expect(200);
    assert.equal((await boss.get(`${PATH}/${id}`)).body.LoginStatus, 4);
  });

  it('replaces a registration of the address that nobody has verified, but not the account itself', async () => {
    const [one, other] = [await member(), await member()];
    for (const { set } of [one, other]) await set('email_verified_at = null');
    await change(one.id, { Email: other.email, Force: true }).expect(200);
    assert.equal(await emailOf(one.id), other.email);
    await boss.get(`${PATH}/${other.id}`).expect(404);
    await change(one.id, { Email: other.email.replace('person', 'Person'), Force: true }).expect(200);
  });

  it('says that an address is taken, and mails nobody', async () => {
    const [one, other] = [await member(), await member()];
    for (const Force of [true, false])
      await change(one.id, { Email: other.email.toUpperCase(), Force }).expect(problem('email_taken'));
    assert.equal(await emailOf(one.id), one.email);
    assert.deepEqual([await mailTypes(one.email), await mailTypes(other.email)], [[], []]);
  });

  for (const [state, asked, forced] of [
    ['is_disabled = true', 409, 200],
    ['email_verified_at = null', 409, 200],
    [`signup = 'new', ${NO_PASSWORD}`, 409, 200],
    [`signup = 'invitation', role = 'Guest', ${NO_PASSWORD}`, 409, 409],
  ] as const)
    it(`answers ${asked}, and ${forced} with Force, for an account with ${state}`, async () => {
      const { id, set } = await member();
      await set(state);
      await change(id, { Email: someEmail() }).expect(asked);
      await change(id, { Email: someEmail(), Force: true }).expect(forced);
    });

  it('is refused for one’s own account, for the same address, and beyond the hourly limit of codes', async () => {
    await change(boss.id, { Email: someEmail(), Force: true }).expect(problem('own_account'));
    const { id, email } = await member();
    await change(id, { Email: email, Force: true }).expect(problem('conflict'));
    for (let sent = 0; sent < 5; sent += 1) await change(id, { Email: someEmail() }).expect(200);
    const Email = someEmail();
    await change(id, { Email }).expect(problem('too_many_requests'));
    assert.deepEqual(await mailTypes(Email), []);
  });
});
