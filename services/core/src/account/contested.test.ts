import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { codeIn, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query, type AccountChange } from '@gatehouse/db';
import { someAddress, startCore, type TestCore } from '../testing/index.ts';

const OWN = 'the password of the owner';
const STRANGE = 'the password of the stranger';

/** An attacker registers an address before its owner (docs/attacks.md); their password must never work. */
describe('an account that is registered with two passwords before its email is verified', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const origin = { traceId: '0', dueAt: Infinity };
  const by = { actor: { kind: 'System' }, origin } as const;
  const register = (email: string, password: string, more: object = {}) =>
    core.post('/account/register', { Email: email, Password: password, ...more }).expect(200);
  // Each from a different address, so that failures do not count as brute force.
  const from = () => ({ 'x-forwarded-for': someAddress() });
  const verify = (email: string, code: string) =>
    core.post('/account/verify', { Email: email, Code: code }, from());
  const tryPassword = (email: string, password: string) =>
    core.post('/account/login', { Username: email, Password: password }, from());
  const codesTo = async (email: string): Promise<string[]> =>
    (await core.app.mailsTo(email)).filter(({ content }) => 'Code' in content).map((mail) => codeIn([mail]));
  const idOf = async (email: string): Promise<string> => {
    const [row] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [email]);
    return row?.id ?? assert.fail('there is no such account');
  };
  const actionsOn = async (email: string) =>
    (await readAudit(core.app, { targetId: await idOf(email) })).entries
      .map(({ action }) => action)
      .toReversed();

  /** The account is verified, and only the password that the mailbox's owner chooses works. */
  const staysTheOwners = async (email: string, code: string): Promise<void> => {
    await verify(email, code).expect(200);
    for (const password of [OWN, STRANGE]) {
      assert.equal((await tryPassword(email, password).expect(404)).body.code, 'authentication_failed');
    }
    const [account] = await query(
      core.app.db,
      'select password_hash, display_name, locale, new_password_required from account where email = ?',
      [email],
    );
    assert.deepEqual(account, {
      password_hash: null,
      display_name: null,
      locale: 'en',
      new_password_required: true,
    });
    for (const other of await codesTo(email)) await verify(email, other).expect(400);
    const reset = { Email: email, Code: await core.forget(email), Password: OWN };
    await core.post('/account/reset-password', reset, from()).expect(200);
    await core.login(email, OWN);
    await tryPassword(email, STRANGE).expect(404);
  };

  const words = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
  for (const [order, passwords] of [
    ['the owner first', [OWN, STRANGE]],
    ['the stranger first', [STRANGE, OWN]],
    ['the stranger first and last', [STRANGE, OWN, STRANGE]],
    ['the owner first and last', [OWN, STRANGE, OWN]],
  ] as const) {
    for (const which of ['first', 'last'] as const) {
      it(`belongs to the owner of the mailbox: ${order}, by the ${which} code`, async () => {
        const email = someEmail();
        for (const password of passwords) await register(email, password, words);
        const codes = await codesTo(email);
        assert.equal(codes.length, passwords.length);
        await staysTheOwners(email, codes.at(which === 'first' ? 0 : -1) ?? '');
      });
    }
  }

  it('is contested even if the hourly limit of mails was reached before', async () => {
    const email = someEmail();
    for (let time = 0; time < 5; time += 1) await register(email, STRANGE, words);
    await register(email, OWN);
    const codes = await codesTo(email);
    assert.equal(codes.length, 5);
    await staysTheOwners(email, codes.at(-1) ?? '');
  });

  it('is contested by concurrent registrations, unless they have the same password', async () => {
    const [two, one] = [someEmail(), someEmail()];
    await Promise.all([OWN, STRANGE, OWN, STRANGE].map((password) => register(two, password, words)));
    await staysTheOwners(two, (await codesTo(two))[0] ?? '');
    await Promise.all([OWN, OWN, OWN, OWN].map((password) => register(one, password)));
    await verify(one, (await codesTo(one))[0] ?? '').expect(200);
    await core.login(one, OWN);
  });

  it('is contested by concurrent registrations in two processes', async () => {
    const other = await startCore({}, core);
    try {
      const emails = Array.from({ length: 8 }, someEmail);
      const ask = (at: TestCore, email: string, password: string) =>
        at.post('/account/register', { Email: email, Password: password }).expect(200);
      for (const email of emails) await Promise.all([ask(core, email, OWN), ask(other, email, STRANGE)]);
      for (const email of emails) await staysTheOwners(email, (await codesTo(email))[0] ?? '');
    } finally {
      await other.stop();
    }
  });

  it('responds to a login before verification as for any unverified account', async () => {
    const email = someEmail();
    await register(email, OWN);
    await register(email, STRANGE);
    assert.equal((await tryPassword(email, OWN).expect(403)).body.LoginStatus, 4);
    await tryPassword(email, STRANGE).expect(404);
  });

  it('is settled by a password reset, which no registration code can undo', async () => {
    const email = someEmail();
    for (const password of [STRANGE, OWN]) await register(email, password);
    const older = await codesTo(email);
    const reset = { Email: email, Code: await core.forget(email), Password: OWN };
    await core.post('/account/reset-password', reset, from()).expect(200);
    for (const code of older) await verify(email, code).expect(400);
    await core.login(email, OWN);
    await register(email, STRANGE);
    assert.equal((await core.app.mailsTo(email)).at(-1)?.type, 'account.registration-repeated');
    await core.login(email, OWN);
  });

  it('stays contested while it is disabled', async () => {
    const email = someEmail();
    await register(email, STRANGE);
    const change = (overrides: AccountChange) =>
      idOf(email).then((id) => changeAccount(core.app, id, overrides, by));
    await change({ isDisabled: true });
    await register(email, OWN);
    await change({ isDisabled: false });
    await staysTheOwners(email, (await codesTo(email))[0] ?? '');
  });

  it('is in the audit once, without personal data, as is its verification', async () => {
    const email = someEmail();
    for (const password of [STRANGE, OWN, STRANGE, OWN]) await register(email, password, words);
    await verify(email, (await codesTo(email))[0] ?? '').expect(200);
    assert.deepEqual(await actionsOn(email), ['account.registered', 'account.contested', 'account.verified']);
    const { entries, text } = await readAudit(core.app, { targetId: await idOf(email) });
    assert.deepEqual(
      entries.map(({ actorKind }) => actorKind),
      ['Account', 'System', 'System'],
    );
    for (const secret of [email, OWN, STRANGE, words.DisplayName]) assert.ok(!text.includes(secret));
  });
});
