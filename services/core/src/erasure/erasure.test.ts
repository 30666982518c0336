import assert from 'node:assert/strict';
import { codeIn, readAudit } from '@gatehouse/accounts/testing';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { during, PASSWORD, startCore } from '../testing/index.ts';
import { newPasskeyOwner, type PasskeyOwner } from '../testing/passkeys.ts';

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
});

describe('a passkey as the proof for', () => {
  const core = during(() => startCore());

  const newOwner = async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await owner.forgetProof();
    return owner;
  };
  const prove = async (owner: PasskeyOwner) => {
    const asked = await core.post('/account/passkey/confirmation', {}, owner.bearer).expect(200);
    const { PasskeyToken, Options } = asked.body as { PasskeyToken: string; Options: RequestOptionsJson };
    return { PasskeyToken, Credential: owner.authenticator.get(Options) };
  };

  for (const path of ['/account/export', '/account/erase']) {
    it(`POST ${path} is accepted once, of the same account, if the login is too old`, async () => {
      const owner = await newOwner();
      const ask = (body: object) => core.post(path, body, owner.bearer);
      assert.equal((await ask({}).expect(403)).body.code, 'confirmation_required');
      assert.equal((await ask(await prove(await newOwner())).expect(403)).body.code, 'wrong_code');
      const proof = await prove(owner);
      await ask(proof).expect(200);
      assert.equal((await ask(proof).expect(403)).body.code, 'wrong_code');
    });
  }

  it('an erasure requests a code by mail, and only that confirms it', async () => {
    const owner = await newOwner();
    const erase = (body: object) => core.post('/account/erase', body, owner.bearer);
    await erase(await prove(owner)).expect(200, {});
    await core.http.get('/ping/auth').set(owner.bearer).expect(200);
    await erase({ Code: codeIn(await core.app.mailsTo(owner.email)) }).expect(202);
    await core.http.get('/ping/auth').set(owner.bearer).expect(401);
  });
});

describe('export by the owner', () => {
  const core = during(() => startCore());

  const anyone = async () => core.bearer((await core.login(await core.newAccount())).Token);

  it('contains all stored data without secrets, and is audited', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    await eventually(async () => (await query(core.app.db, 'select 1 from sign_in')).length > 0);
    const { body, headers } = await core
      .post('/account/export', { Password: PASSWORD }, core.bearer(Token))
      .expect(200);
    assert.match(String(headers['content-disposition']), /attachment/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(body.Truncated, []);
    assert.equal(body.Profile[0].Email, email);
    assert.equal(body.Profile[0].HasPassword, true);
    assert.equal(body.Sessions.length, 1);
    assert.ok(body.SessionHistory.length >= 1);
    assert.equal(body.SignIns[0].Result, 'Succeeded');
    assert.ok(body.Audit.some(({ Action }: { Action: string }) => Action === 'account.verified'));
    assert.doesNotMatch(JSON.stringify(body), /\$2b\$|hash|secret/i);
    const { entries } = await readAudit(core.app);
    assert.ok(
      entries.some(
        ({ action, targetId }) => action === 'account.exported' && targetId === body.Profile[0].Id,
      ),
    );
  });

  it('allows one at a time, and uses up no proof if refused', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    const ask = () => core.post('/account/export', { Password: PASSWORD }, core.bearer(Token));
    const { first } = await inTransaction(core.app.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'lock table invitation in access exclusive mode');
      const asked = ask().then(({ status }) => status);
      await eventually(async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await query(core.app.db, waiting)).length > 0;
      });
      const { body, headers } = await ask().expect(429);
      assert.deepEqual([body.code, headers['retry-after']], ['too_many_requests', '5']);
      return { first: asked };
    });
    assert.equal(await first, 200);
    await ask().expect(200);
  });

  it('is limited to ten an hour, not counting wrong proofs', async () => {
    const [own, other] = [await anyone(), await anyone()];
    const ask = (who: object, body: object = {}) => core.post('/account/export', body, { ...who });
    for (let time = 0; time < 3; time += 1) await ask(own, { Password: 'wrong' }).expect(403);
    for (let time = 0; time < 10; time += 1) await ask(own).expect(200);
    const refused = await ask(own).expect(429);
    assert.deepEqual(
      [refused.body.code, refused.body.detail, Number(refused.headers['retry-after']) > 3000],
      ['too_many_requests', 'Hourly limit of exports of this account reached', true],
    );
    await ask(other).expect(200);
  });

  it('waits a short time for a slot, as other requests need Postgres too', async () => {
    const own = await anyone();
    const { exportTurns } = core.app.service;
    let release = (): void => {};
    const others = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = [exportTurns(() => others), exportTurns(() => others)];
    const late = await core.post('/account/export', {}, own).expect(503);
    assert.deepEqual([late.body.code, Number(late.headers['retry-after']) > 0], ['unavailable', true]);
    const waiting = core.post('/account/export', {}, own).expect(200);
    setTimeout(release, 200);
    await Promise.all([waiting, ...held]);
  });
});
