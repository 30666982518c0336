import assert from 'node:assert/strict';
import { codeIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { startCore, type TestCore } from '../testing/index.ts';
import { newPasskeyOwner } from '../testing/passkeys.ts';

describe('a change of what opens an account that mailed codes open', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ EMAIL_LOGIN: 'users', SINGLE_SESSION: false });
  });
  after(() => core.stop());

  const newPerson = async () => {
    const email = await core.newAccount();
    return { email, bearer: core.bearer((await core.login(email)).Token) };
  };
  const dropPassword = (email: string) =>
    query(core.app.db, 'update account set password_hash = null, password_scheme = null where email = ?', [
      email,
    ]);
  const refusal = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };
  const codeTo = async (email: string) => codeIn(await core.app.mailsTo(email));

  it('asks for a code at the old address before the email changes, besides the password', async () => {
    const { email, bearer } = await newPerson();
    const Email = someEmail();
    const change = (body: object) => core.post('/account/change-email', { Email, ...body }, bearer);
    assert.deepEqual(await refusal(change({ Password: 'not the password' })), [403, 'wrong_password']);
    assert.deepEqual(await refusal(change({})), [400, 'invalid_request']);
    const before = (await core.app.mailsTo(email)).length;
    assert.deepEqual(await refusal(change({ Password: PASSWORD })), [403, 'mail_code_required']);
    assert.equal((await core.app.mailsTo(email)).length, before + 1);
    const MailCode = await codeTo(email);
    const wrong = MailCode.startsWith('2') ? '3333-3333' : '2222-2222';
    assert.deepEqual(await refusal(change({ Password: PASSWORD, MailCode: wrong })), [400, 'invalid_code']);
    assert.deepEqual(await core.app.mailsTo(Email), []);
    await change({ Password: PASSWORD, MailCode }).expect(200);
    const Code = await codeTo(Email);
    await core.post('/account/confirm-email', { Code }, bearer).expect(200);
    assert.ok(await accounts.findByEmailKey(core.app.db, Email));
    assert.deepEqual(await refusal(change({ Password: PASSWORD, MailCode })), [400, 'invalid_code']);
  });

  it('asks an owner without a password for the code alone', async () => {
    const { email, bearer } = await newPerson();
    await dropPassword(email);
    const Email = someEmail();
    const change = (body: object) => core.post('/account/change-email', { Email, ...body }, bearer);
    assert.deepEqual(await refusal(change({})), [403, 'mail_code_required']);
    await change({ MailCode: await codeTo(email) }).expect(200);
  });

  it('asks for a code before the last passkey is removed, and for no other', async () => {
    const owner = await newPasskeyOwner(core);
    const [first, last] = [await owner.add(), await owner.add()];
    await dropPassword(owner.email);
    const remove = (id: string, body: object = {}) =>
      core.http.delete(`/account/passkey/${id}`).set(owner.bearer).send(body);
    await remove(first.Id).expect(204);
    assert.deepEqual(await refusal(remove(last.Id)), [403, 'mail_code_required']);
    assert.deepEqual(await refusal(remove(last.Id, { MailCode: 'x' })), [400, 'invalid_code']);
    // Mailed codes count as a way to log in: the passkey is not the last one.
    await remove(last.Id, { MailCode: await codeTo(owner.email) }).expect(204);
  });
});
