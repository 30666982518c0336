import assert from 'node:assert/strict';
import { createAccount } from '@gatehouse/accounts';
import { codeIn, mailCodeAsAdministrator, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';

const STRANGE = 'the password of the stranger';

/** Anybody can register an address; what they type must never open an account that waits for its owner. */
for (const [status, isMigrated] of [
  [5, false],
  [6, true],
] as const) {
  describe(`an account that an administrator made for its owner (status ${status})`, () => {
    let core: TestCore;
    before(async () => {
      core = await startCore();
    });
    after(() => core.stop());

    const by = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;
    const from = () => ({ 'x-forwarded-for': someAddress() });
    const newWaiting = async () => {
      const email = someEmail();
      const wish = { email, password: undefined, displayName: 'Ann', locale: undefined, isMigrated };
      const id = await createAccount(core.app, { ...wish, role: 'User' }, by);
      return { email, id: id ?? assert.fail('the email has an account') };
    };
    const stateOf = async (email: string) => {
      const sql = 'select signup, password_hash, display_name, locale from account where email = ?';
      const [row] = await query<{ signup: string; password_hash: string | null }>(core.app.db, sql, [email]);
      return row;
    };
    const register = (email: string, password: string) => {
      const words = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
      return core
        .post('/account/register', { Email: email, Password: password, ...words }, from())
        .expect(200);
    };
    const complete = (email: string, code: string, more: object = {}) =>
      core.post('/account/reset-password', { Email: email, Code: code, Password: PASSWORD, ...more }, from());
    const typesTo = async (email: string) => (await core.app.mailsTo(email)).map(({ type }) => type);
    const tryLogin = (email: string, password: string) =>
      core.post('/account/login', { Username: email, Password: password }, from());

    it('keeps nothing of a registration, which mails its owner a code that chooses the password', async () => {
      const { email } = await newWaiting();
      const before = await stateOf(email);
      const { body } = await register(email, STRANGE);
      assert.deepEqual(await stateOf(email), before);
      assert.deepEqual(await typesTo(email), ['account.password-reset-requested']);
      assert.equal((await tryLogin(email, STRANGE).expect(403)).body.LoginStatus, status);
      const code = codeIn(await core.app.mailsTo(email));
      const { RegistrationToken } = body as { RegistrationToken: string };
      const verification = { Email: email, Code: code, RegistrationToken };
      await core.post('/account/verify', verification, from()).expect(400);
      await complete(email, code).expect(200);
      await core.login(email);
      await tryLogin(email, STRANGE).expect(404);
      assert.equal((await stateOf(email))?.signup, 'complete');
    });

    it('takes the owner’s name with the code, and otherwise keeps the administrator’s', async () => {
      for (const [more, name] of [
        [{ DisplayName: 'Ann Other' }, 'Ann Other'],
        [{}, 'Ann'],
      ] as const) {
        const { email } = await newWaiting();
        await register(email, STRANGE);
        await complete(email, codeIn(await core.app.mailsTo(email)), more).expect(200);
        const state = await stateOf(email);
        assert.ok(state);
        assert.deepEqual(
          { ...state, password_hash: 0 },
          {
            ...{ signup: 'complete', password_hash: 0, display_name: name, locale: 'en' },
          },
        );
      }
    });

    it('gets its code also by forgot-password, and from an administrator', async () => {
      const { email, id } = await newWaiting();
      const own = await core.forget(email);
      await mailCodeAsAdministrator(core.app, id, 'reset');
      const newest = codeIn(await core.app.mailsTo(email));
      await complete(email, own).expect(400);
      await complete(email, newest).expect(200);
      await core.login(email);
    });

    it('is completed with the invitation that an administrator had mailed, once', async () => {
      const email = someEmail();
      const wish = { email, displayName: 'Ann', locale: 'de', isMigrated, role: 'User' } as const;
      const id = await createAccount(core.app, { ...wish, password: undefined }, by);
      await mailCodeAsAdministrator(core.app, id ?? '', 'complete');
      const code = codeIn(await core.app.mailsTo(email));
      await complete(email, code === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA').expect(400);
      await complete(email, code, { DisplayName: 'Ann Other', Locale: 'fr' }).expect(200);
      await core.login(email);
      const state = await stateOf(email);
      assert.deepEqual(
        { ...state, password_hash: 0 },
        {
          ...{ signup: 'complete', password_hash: 0, display_name: 'Ann Other', locale: 'fr' },
        },
      );
      await complete(email, code).expect(400);
    });

    it('keeps its invitation whatever codes a stranger asks for, and loses it with any of them that is used', async () => {
      const { email, id } = await newWaiting();
      await mailCodeAsAdministrator(core.app, id, 'complete');
      const invited = codeIn(await core.app.mailsTo(email));
      await register(email, STRANGE);
      const own = await core.forget(email);
      await complete(email, own).expect(200);
      await complete(email, invited).expect(400);

      const other = await newWaiting();
      await mailCodeAsAdministrator(core.app, other.id, 'complete');
      const kept = codeIn(await core.app.mailsTo(other.email));
      await core.forget(other.email);
      await complete(other.email, kept).expect(200);
      await core.login(other.email);
    });

    it('allows a guess at its codes no more tries than at one', async () => {
      const { email, id } = await newWaiting();
      await mailCodeAsAdministrator(core.app, id, 'complete');
      const invited = codeIn(await core.app.mailsTo(email));
      const guess = invited === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA';
      await core.forget(email);
      const address = from();
      const tryCode = (Code: string, headers = address) =>
        core.post('/account/reset-password', { Email: email, Code, Password: PASSWORD }, headers);
      for (let tries = 0; tries < 5; tries += 1) await tryCode(guess).expect(400);
      await tryCode(invited).expect(400);
      await tryCode(invited, from()).expect(200);
    });

    it('gets no code while it is disabled', async () => {
      const { email, id } = await newWaiting();
      await query(core.app.db, 'update account set is_disabled = true where id = ?', [id]);
      await register(email, STRANGE);
      assert.deepEqual(await typesTo(email), ['account.registration-repeated']);
    });
  });
}

describe('a password reset of a complete account', () => {
  it('does not change its name', async () => {
    const core = await startCore();
    try {
      const email = await core.newAccount();
      const reset = { Email: email, Code: await core.forget(email), Password: PASSWORD, DisplayName: 'Eve' };
      await core.post('/account/reset-password', reset).expect(200);
      const [row] = await query(core.app.db, 'select display_name from account where email = ?', [email]);
      assert.deepEqual(row, { display_name: null });
    } finally {
      await core.stop();
    }
  });
});
