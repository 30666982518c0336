import assert from 'node:assert/strict';
import { codeIn, logIn, readAudit } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { during, PASSWORD, startCore } from '../testing/index.ts';
import { newOwner } from '../testing/two-factor.ts';

describe('erasure by the owner', () => {
  const core = during(() => startCore());

  const newPerson = async () => {
    const email = await core.newAccount();
    const tokens = await core.login(email);
    const bearer = core.bearer(tokens.Token);
    const [row] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [email]);
    const erase = (body: object) => core.post('/account/erase', body, bearer);
    const lastMail = async () => (await core.app.mailsTo(email)).at(-1);
    return { email, ...tokens, bearer, id: row?.id ?? '', erase, lastMail };
  };

  const requestCode = async (person: Awaited<ReturnType<typeof newPerson>>): Promise<string> => {
    await person.erase({ Password: PASSWORD }).expect(200, {});
    return codeIn(await core.app.mailsTo(person.email));
  };

  const restoreCodeOf = async (person: Awaited<ReturnType<typeof newPerson>>): Promise<string> => {
    const mail = await person.lastMail();
    assert.equal(mail?.type, 'account.erasure-scheduled');
    return 'RestoreCode' in mail.content ? (mail.content.RestoreCode ?? '') : '';
  };

  const erasePerson = async () => {
    const person = await newPerson();
    await person.erase({ Code: await requestCode(person) }).expect(202);
    return person;
  };

  it('disables it everywhere before the response, and returns when it will be erased', async () => {
    const person = await newPerson();
    const other = await core.login(person.email);
    const erase = (sent: object) => core.post('/account/erase', sent, core.bearer(other.Token));
    const Code = await requestCode({ ...person, erase });
    const { body } = await erase({ Code }).expect(202);
    const days = (Date.parse(String(body.ErasedAt)) - Date.now()) / 86_400_000;
    assert.ok(days > 13.9 && days < 14.1, String(days));
    assert.equal(await core.pingWith(other.Token), 4);
    await core.post('/account/refresh-token', { RefreshToken: other.RefreshToken }).expect(403);
    const login = { Username: person.email, Password: PASSWORD };
    const refused = await core.post('/account/login', login).expect(403);
    assert.equal(refused.body.LoginStatus, 3);
    await erase({ Code }).expect(401);
    const { entries } = await readAudit(core.app);
    const actions = entries.filter(({ targetId }) => targetId === person.id).map(({ action }) => action);
    assert.ok(actions.includes('account.erasure-requested'));
  });

  it('requires a proof: a wrong password, a wrong code and a foreign one are refused', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    await person.erase({ Password: 'wrong' }).expect(403);
    const Code = await requestCode(person);
    await other.erase({ Code }).expect(400);
    await person.erase({ Code: 'AAAA-AAAA' }).expect(400);
    assert.equal(await core.pingWith(person.Token), 1);
    await person.erase({ Code }).expect(202);
  });

  it('is not started with the password only if there is a second factor', async () => {
    const owner = await newOwner(core);
    const { Token } = await logIn(core.app, owner);
    await query(
      core.app.db,
      `update user_session set authenticated_at = now() - interval '1 hour' where account_id = ?`,
      [owner.id],
    );
    const { body } = await core
      .post('/account/erase', { Password: PASSWORD }, core.bearer(Token))
      .expect(403);
    assert.equal(body.code, 'confirmation_required');
  });

  it('is cancelled by the link in the mail, once, and sessions stay ended', async () => {
    const person = await erasePerson();
    const Code = await restoreCodeOf(person);
    await core.post('/account/restore', { Code: `${Code}x` }).expect(400);
    await core.post('/account/restore', { Code }).expect(200, {});
    await core.post('/account/restore', { Code }).expect(400);
    await core.http.get('/ping/auth').set(person.bearer).expect(401);
    await core.login(person.email);
  });

  it('is cancelled once by concurrent requests', async () => {
    const Code = await restoreCodeOf(await erasePerson());
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => core.post('/account/restore', { Code })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('does not enable an account that an administrator has disabled', async () => {
    const person = await newPerson();
    const Code = await requestCode(person);
    // Possible as long as the session has not ended.
    await query(core.app.db, 'update account set is_disabled = true where id = ?', [person.id]);
    await person.erase({ Code }).expect(202);
    await core.post('/account/restore', { Code: await restoreCodeOf(person) }).expect(200);
    const login = { Username: person.email, Password: PASSWORD };
    assert.equal((await core.post('/account/login', login).expect(403)).body.LoginStatus, 3);
  });

  it('requires that owned content is transferred first', async () => {
    const person = await newPerson();
    await query(
      core.app.db,
      `insert into content_definition (id, name, kind, owner_id) values (gen_random_uuid(), 'Own', 'Document', ?)`,
      [person.id],
    );
    await person.erase({ Password: PASSWORD }).expect(409);
  });

  it('is created once by concurrent confirmations', async () => {
    const person = await newPerson();
    const Code = await requestCode(person);
    const answers = await Promise.all(Array.from({ length: 8 }, () => person.erase({ Code })));
    assert.equal(answers.filter(({ status }) => status === 202).length, 1);
    const rows = await query(core.app.db, 'select id from erasure where account_id = ?', [person.id]);
    assert.equal(rows.length, 1);
  });
});
