import assert from 'node:assert/strict';
import { codeIn, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';
import { registeredBody } from '../testing/registered-body.ts';

const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
const OTHER = 'the password of somebody else';

/** Anybody can press the button in a mail, also for the password of a stranger (docs/attacks.md). */
describe('verifying an email with what its registration showed', () => {
  let core: TestCore;
  /** The email of a verified account. */
  let known: string;
  before(async () => {
    core = await startCore();
    known = await core.newAccount();
  });
  after(() => core.stop());

  // Each from a different address, so that failures do not count as brute force.
  const from = () => ({ 'x-forwarded-for': someAddress() });
  const register = async (email: string, password = PASSWORD): Promise<string> => {
    const { body } = await core
      .post('/account/register', { ...WORDS, Email: email, Password: password }, from())
      .expect(200);
    assert.deepEqual(registeredBody(body), { LoginStatus: 4 });
    return (body as { RegistrationToken: string }).RegistrationToken;
  };
  const verify = async (email: string, shown: object, at = core) => {
    const [mail] = await core.app.mailsTo(email);
    assert.ok(mail);
    const body = { Email: email, Code: codeIn([mail]), ...shown };
    return at.post('/account/verify', body, from()).expect(200, {});
  };
  const tryLogin = (email: string, password = PASSWORD) =>
    core.post('/account/login', { Username: email, Password: password }, from());
  /** The account is verified, and its owner has to choose a password by mail. */
  const hasNoPassword = async (email: string): Promise<void> => {
    const sql = 'select password_hash, display_name, locale from account where email = ?';
    const [account] = await query(core.app.db, sql, [email]);
    assert.deepEqual(account, { password_hash: null, display_name: null, locale: 'en' });
    await tryLogin(email).expect(404);
    const reset = { Email: email, Code: await core.forget(email), Password: OTHER };
    await core.post('/account/reset-password', reset, from()).expect(200);
    await tryLogin(email, OTHER).expect(200);
  };

  it('keeps the password for every browser that registered it', async () => {
    for (const which of [0, 1, 2]) {
      const email = someEmail();
      const tokens = [await register(email), await register(email), await register(email)];
      assert.equal(new Set(tokens).size, 3);
      await verify(email, { RegistrationToken: tokens[which] });
      await tryLogin(email).expect(200);
    }
  });

  it('keeps the password for whoever types it again', async () => {
    const email = someEmail();
    await register(email);
    await verify(email, { Password: PASSWORD });
    await tryLogin(email).expect(200);
  });

  for (const [name, shown] of [
    ['no token of the page', () => ({ RegistrationToken: '' })],
    ['another text', () => ({ RegistrationToken: 'x'.repeat(64) })],
    ['the token of another account', async () => ({ RegistrationToken: await register(someEmail()) })],
    ['the token that an existing account gets', async () => ({ RegistrationToken: await register(known) })],
    ['another password', () => ({ Password: OTHER })],
    ['its token, but another password', (token: string) => ({ RegistrationToken: token, Password: OTHER })],
    [
      'its password, but another token',
      async () => ({ RegistrationToken: await register(someEmail()), Password: PASSWORD }),
    ],
  ] as const) {
    it(`verifies the email and leaves no password: ${name}`, async () => {
      const email = someEmail();
      const token = await register(email);
      await verify(email, await shown(token));
      await hasNoPassword(email);
    });
  }

  it('leaves no password to a stranger who registers before or after the owner, whoever verifies', async () => {
    for (const order of [
      [OTHER, PASSWORD],
      [PASSWORD, OTHER],
    ]) {
      for (const which of [0, 1]) {
        const email = someEmail();
        const tokens: string[] = [];
        for (const password of order) tokens.push(await register(email, password));
        await verify(email, { RegistrationToken: tokens[which] });
        await tryLogin(email, OTHER).expect(404);
        await hasNoPassword(email);
      }
    }
  });

  it('ignores what is shown with a wrong code, which uses nothing up', async () => {
    const email = someEmail();
    const RegistrationToken = await register(email);
    const wrong = { Email: email, Code: 'AAAA-AAAA', RegistrationToken: '' };
    await core.post('/account/verify', wrong, from()).expect(400);
    await verify(email, { RegistrationToken });
    await tryLogin(email).expect(200);
  });

  it('is required if the installation says so: a call without it leaves no password', async () => {
    const strict = await startCore({}, core, { verifyNeedsRegistrant: true });
    try {
      const [with_, without] = [someEmail(), someEmail()];
      const RegistrationToken = await register(with_);
      await verify(with_, { RegistrationToken }, strict);
      await tryLogin(with_).expect(200);
      await register(without);
      await verify(without, {}, strict);
      await hasNoPassword(without);
    } finally {
      await strict.stop();
    }
  });

  it('is in the audit if the password was discarded', async () => {
    const email = someEmail();
    await register(email);
    await verify(email, { RegistrationToken: '' });
    const [account] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [
      email,
    ]);
    const { entries } = await readAudit(core.app, { targetId: account?.id });
    assert.deepEqual([entries[0]?.action, entries[0]?.details], ['account.verified', { Contested: true }]);
  });
});
