import assert from 'node:assert/strict';
import { codeIn, PASSWORD, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

describe('email change', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions({ SINGLE_SESSION: false });
  });
  after(() => core.stop());

  type Who = string | { Token: string };
  const change = (who: Who | undefined, email: unknown, password: unknown = PASSWORD) =>
    core.post('/account/change-email', who, { Email: email, Password: password });
  const confirm = (who: Who | undefined, code: unknown) =>
    core.post('/account/confirm-email', who, { Code: code });
  const emailOf = async (who: Who) => {
    const { headers } = await core.get('/ping/auth', who).expect(200);
    return (await accounts.findById(core.app.db, String(headers['x-auth-account'])))?.email;
  };
  const typesTo = async (email: string) => (await core.app.mailsTo(email)).map(({ type }) => type);
  const codeTo = async (email: string) => codeIn(await core.app.mailsTo(email));

  it('mails a code to the new address and a notice to the old one, and changes with the code', async () => {
    const ann = await core.newAccount();
    const [mine, other] = [await core.login(ann), await core.login(ann)];
    const email = someEmail();
    await change(mine, email).expect(200, {});
    assert.equal(await emailOf(mine), ann.email);
    assert.deepEqual(await typesTo(email), ['account.email-change-requested']);
    assert.deepEqual(await typesTo(ann.email), ['account.email-change-announced']);

    const code = await codeTo(email);
    await confirm(mine, code.toLowerCase().replace('-', ' ')).expect(200, {});
    assert.equal(await emailOf(mine), email);
    assert.equal(await emailOf(other), email);
    assert.deepEqual(await typesTo(ann.email), ['account.email-change-announced', 'account.email-changed']);
    assert.equal((await confirm(mine, code).expect(400)).body.code, 'invalid_code');
  });

  it('frees the old address and reserves the new one', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    const email = someEmail();
    await change(mine, email).expect(200);
    await confirm(mine, await codeTo(email)).expect(200);
    const holderOf = async (held: string) => (await accounts.findByEmailKey(core.app.db, held))?.id;
    assert.deepEqual([await holderOf(ann.email), await holderOf(email)], [undefined, ann.id]);
  });

  it('refuses a wrong password and mails nobody', async () => {
    const ann = await core.newAccount();
    const email = someEmail();
    const { body } = await change(await core.login(ann), email, 'a wrong password').expect(403);
    assert.equal(body.code, 'wrong_password');
    assert.deepEqual([await typesTo(email), await typesTo(ann.email)], [[], []]);
  });

  it('has the same response for a taken address, mails no code and notifies only its owner', async () => {
    const [ann, bob] = [await core.newAccount(), await core.newAccount()];
    const mine = await core.login(ann);
    await change(mine, bob.email.toUpperCase()).expect(200, {});
    assert.deepEqual(await typesTo(bob.email), ['account.email-claimed']);
    assert.deepEqual(await typesTo(ann.email), ['account.email-change-announced']);
    await confirm(mine, 'ABCD-1234').expect(400);
  });

  it('invalidates the older code, whether the newer address is free or taken', async () => {
    const [ann, bob] = [await core.newAccount(), await core.newAccount()];
    const mine = await core.login(ann);
    for (const next of [bob.email, someEmail()]) {
      const first = someEmail();
      await change(mine, first).expect(200);
      const older = await codeTo(first);
      await change(mine, next).expect(200);
      assert.equal((await confirm(mine, older).expect(400)).body.code, 'invalid_code');
    }
  });

  it('reports that the address was taken meanwhile, and uses up no code', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    const email = someEmail();
    await change(mine, email).expect(200);
    const code = await codeTo(email);
    const faster = await core.newAccount({ email });
    assert.equal((await confirm(mine, code).expect(409)).body.code, 'email_taken');
    assert.equal(await emailOf(mine), ann.email);
    await query(core.app.db, 'delete from account where id = ?', [faster.id]);
    await confirm(mine, code).expect(200);
  });

  it('assigns an address to one of two accounts that confirm it concurrently', async () => {
    const sessions = await Promise.all([1, 2].map(async () => await core.login(await core.newAccount())));
    const email = someEmail();
    const codes: string[] = [];
    for (const who of sessions) {
      await change(who, email).expect(200);
      codes.push(await codeTo(email));
    }
    const answers = await Promise.all(sessions.map((who, index) => confirm(who, codes[index])));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    assert.deepEqual(statuses, [200, 409]);
  });

  it('refuses a code of another account, and allows five attempts', async () => {
    const [ann, bob] = [await core.newAccount(), await core.newAccount()];
    const [mine, theirs] = [await core.login(ann), await core.login(bob)];
    const [email, another] = [someEmail(), someEmail()];
    await change(mine, email).expect(200);
    await change(theirs, another).expect(200);
    const code = await codeTo(email);
    await confirm(theirs, code).expect(400);
    for (const none of [undefined, null, true, 7, ['x'], {}]) {
      const { body } = await confirm(mine, none).expect(400);
      assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/Code']);
    }
    const guesses = [await codeTo(another), 'ABCD-1234', 'ABCD-1235', 'ABCD-1236', 'ABCD-1237'];
    for (const guess of ['', 'AAAA', 'UUUU-UUUU', 'x'.repeat(65), ...guesses]) {
      assert.equal((await confirm(mine, guess).expect(400)).body.code, 'invalid_code');
    }
    await confirm(mine, code).expect(400);
    assert.equal(await emailOf(mine), ann.email);
  });

  it('mails five codes an hour per account and per unknown address', async () => {
    const mine = await core.login(await core.newAccount());
    const overrides = Array.from({ length: 6 }, () => someEmail());
    for (const wish of overrides) await change(mine, wish).expect(200, {});
    const counts = await Promise.all(overrides.map(async (wish) => (await typesTo(wish)).length));
    assert.deepEqual(counts, [1, 1, 1, 1, 1, 0]);
    await confirm(mine, await codeTo(overrides[4] ?? '')).expect(200);

    const stranger = someEmail();
    for (let index = 0; index < 6; index += 1) {
      await change(await core.login(await core.newAccount()), stranger).expect(200, {});
    }
    assert.equal((await typesTo(stranger)).length, 5);
  });

  it('is in the audit as often as a code is mailed, in the same way for free and taken addresses', async () => {
    const [ann, bob, taken] = [await core.newAccount(), await core.newAccount(), await core.newAccount()];
    for (const [who, wish] of [
      [ann, () => someEmail()],
      [bob, () => taken.email],
    ] as const) {
      const mine = await core.login(who);
      for (let turn = 0; turn < 7; turn += 1) await change(mine, wish()).expect(200);
      const { entries } = await readAudit(core.app, { targetId: who.id });
      const recorded = entries.map(({ action, actorId, details }) => [action, actorId, details]);
      const one = ['email.change-requested', who.id, {}];
      assert.deepEqual(recorded, [one, one, one, one, one]);
    }
  });

  it('accepts a new spelling of the same address', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    const email = ann.email.replace('person', 'Person');
    await change(mine, email).expect(200);
    await confirm(mine, await codeTo(email)).expect(200);
    assert.equal(await emailOf(mine), email);
  });
});
