import assert from 'node:assert/strict';
import { codeIn, readAudit, someEmail, statusesOf, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { cast, problem } from '../testing/cast.ts';
import { PASSWORD } from '../testing/index.ts';
import { newPasskeyOwner, type PasskeyOwner } from '../testing/passkeys.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

const NEW_PASSWORD = 'a wholly new one';

describe('taking back a change of email', () => {
  const { core, someone } = cast({ SINGLE_SESSION: false });

  const takeBack = (Code: unknown) => core().post('/account/take-back-email', { Code });
  const request = async ({ bearer }: PasskeyOwner, Email: string) => {
    await core().post('/account/change-email', { Email, Password: PASSWORD }, bearer).expect(200);
    return codeIn(await core().app.mailsTo(Email));
  };
  const confirm = ({ bearer }: PasskeyOwner, Code: string) =>
    core().post('/account/confirm-email', { Code }, bearer);
  /** Changes the email; returns the secret of the link that was mailed to the former one. */
  const change = async (owner: PasskeyOwner, from: string, to: string): Promise<string> => {
    await confirm(owner, await request(owner, to)).expect(200);
    const mail = (await core().app.mailsTo(from)).at(-1);
    assert.ok(mail?.type === 'account.email-changed' && 'TakeBack' in mail.content);
    return mail.content.TakeBack.Code;
  };
  const changed = async () => {
    const to = someEmail();
    const owner = await newPasskeyOwner(core());
    return { owner, to, code: await change(owner, owner.email, to) };
  };
  const accountOf = async ({ id }: PasskeyOwner) => {
    const account = await accounts.findById(core().app.db, id);
    return account ?? assert.fail('there is no such account');
  };
  const emailOf = async (owner: PasskeyOwner) => (await accountOf(owner)).email;
  const isIn = async ({ bearer }: PasskeyOwner) =>
    (await core().http.get('/account/passkey').set(bearer)).status === 200;

  it('leaves whoever changed it no way in, and lets the owner choose a password by mail', async () => {
    const owner = await newPasskeyOwner(core(), 'synced');
    const kept = await owner.add();
    const run = (text: string) => core().sql(text, { id: owner.id });
    await run(`update passkey set created_at = created_at - interval '8 days' where account_id = :id`);
    const prepared = await owner.add();
    const email = someEmail();
    const code = await change(owner, owner.email, email);
    const passkey = await owner.add();
    await run(
      `insert into sso_identity (issuer, subject, account_id, provider) values ('https://id.example', :id, :id, 'demo')`,
    );
    await run(`insert into account_group (account_id, label, source) values (:id, 'sre', 'demo')`);
    const codeOfThief = await someone(email).forgets();

    await takeBack(code).expect(200, {});
    assert.deepEqual([await emailOf(owner), await isIn(owner)], [owner.email, false]);
    await someone(email).resets(codeOfThief, NEW_PASSWORD).expect(400);
    for (const Username of [owner.email, email])
      await core().post('/account/login', { Username, Password: PASSWORD }).expect(404);
    const left = await run(
      'select id::text from passkey where account_id = :id union all select subject from sso_identity where account_id = :id',
    );
    assert.deepEqual(left, [{ id: kept.Id }]);
    const { entries } = await readAudit(core().app, { targetId: owner.id });
    assert.deepEqual(fieldsOf(entries.slice(0, 5), 'action', 'actorId', 'details'), [
      ['account.changed', owner.id, { Groups: [], Provider: 'demo' }],
      ['sso.unlinked', owner.id, { Provider: 'demo' }],
      ['passkey.removed', owner.id, { PasskeyId: passkey.Id }],
      ['passkey.removed', owner.id, { PasskeyId: prepared.Id }],
      ['email.taken-back', owner.id, {}],
    ]);

    const ann = someone(owner.email);
    await ann.resets(await ann.forgets(), NEW_PASSWORD).expect(200);
    await ann.logsIn(NEW_PASSWORD).expect(200);
  });

  it('cancels an erasure that was requested in the account’s name since, and no other', async () => {
    for (const [what, change_, isCancelled] of [
      ['own', '', true],
      ['earlier', `asked_at = now() - interval '1 hour'`, false],
      ['an administrator’s', `asked_by = gen_random_uuid()`, false],
    ] as const) {
      const { owner, to, code } = await changed();
      await core().post('/account/erase', { Password: PASSWORD }, owner.bearer).expect(200);
      const Code = codeIn(await core().app.mailsTo(to));
      await core().post('/account/erase', { Code }, owner.bearer).expect(202);
      if (change_ !== '') await core().sql(`update erasure set ${change_} where account_id = ?`, [owner.id]);
      await takeBack(code).expect(200, {});
      const { isDisabled } = await accountOf(owner);
      const sql = 'select 1 from erasure where account_id = ? and restored_at is null';
      const pending = await core().sql(sql, [owner.id]);
      assert.deepEqual([isDisabled, pending.length], isCancelled ? [false, 0] : [true, 1], what);
    }
  });

  it('works once, also of two times at once, and for seven days by the clock of the database', async () => {
    const { owner, code } = await changed();
    const sql = `select extract(epoch from expires_at - changed_at)::float8 / 86400 as days from email_change where account_id = ?`;
    const [row] = await core().sql<{ days: number }>(sql, [owner.id]);
    assert.equal(row?.days, 7);
    const expires = 'update email_change set expires_at = now() + cast(? as interval) where account_id = ?';
    const move = (by: string) => core().sql(expires, [by, owner.id]);
    await move('-1 second');
    for (const wrong of [code, undefined, 'x'.repeat(43)])
      await takeBack(wrong).expect(problem('invalid_code'));
    assert.ok(await isIn(owner));
    await move('1 minute');
    assert.deepEqual(statusesOf(await Promise.all([takeBack(code), takeBack(code)])), [200, 400]);
    await takeBack(code).expect(problem('invalid_code'));
  });

  it('changes nothing while another account has the former address', async () => {
    const { owner, to: email, code } = await changed();
    const sql = `insert into account (id, email, email_key, email_verified_at) values (gen_random_uuid(), :email, :email, now())`;
    await core().sql(sql, { email: owner.email });
    await takeBack(code).expect(problem('email_taken'));
    assert.deepEqual([await emailOf(owner), await isIn(owner)], [email, true]);
    await core().login(email);
    await core().sql('delete from account where email = ?', [owner.email]);
    await takeBack(code).expect(200);
  });

  it('cannot be prevented by registering the former address without being able to verify it', async () => {
    const { owner, code } = await changed();
    const Email = owner.email;
    await core().post('/account/register', { Email, Password: NEW_PASSWORD }).expect(200);
    const squatter = await accounts.findByEmailKey(core().app.db, Email);
    await takeBack(code).expect(200);
    assert.equal((await accounts.findByEmailKey(core().app.db, Email))?.id, owner.id);
    await core().post('/account/login', { Username: Email, Password: NEW_PASSWORD }).expect(404);
    const { entries } = await readAudit(core().app, { targetId: owner.id });
    assert.deepEqual(entries[0]?.details, { RemovedId: squatter?.id });
  });

  it('is possible for the earliest mailbox after any later one, but never the other way round', async () => {
    const { owner, to: second, code: ofFirst } = await changed();
    const ofSecond = await change(owner, second, someEmail());
    await takeBack(ofSecond).expect(200);
    assert.equal(await emailOf(owner), second);
    await takeBack(ofFirst).expect(200);
    assert.equal(await emailOf(owner), owner.email);

    const { owner: other, to: next, code: ofOther } = await changed();
    const ofNext = await change(other, next, someEmail());
    await takeBack(ofOther).expect(200);
    await takeBack(ofNext).expect(400);
    assert.equal(await emailOf(other), other.email);
  });

  it('wins against a concurrent confirmation of yet another address', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, code } = await changed();
      const next = await request(owner, someEmail());
      const [back] = await Promise.all([takeBack(code), confirm(owner, next)]);
      assert.deepEqual([back.status, await emailOf(owner), await isIn(owner)], [200, owner.email, false]);
      const changes = core().sql('select changed_at from email_change where account_id = ?', [owner.id]);
      assert.deepEqual(await changes, []);
    }
  });

  it('keeps a second factor, and a disabled account disabled', async () => {
    const { owner, code } = await changed();
    await switchOnTwoFactor(core().app, owner.id);
    await core().sql('update account set is_disabled = true where id = ?', [owner.id]);
    await takeBack(code).expect(200);
    const { isTwoFactorEnabled, isDisabled, email } = await accountOf(owner);
    assert.deepEqual([isTwoFactorEnabled, isDisabled, email], [true, true, owner.email]);
  });
});
