import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import { moveClock, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { atOnce, cast, type Person, type Session } from '../testing/cast.ts';
import { PASSWORD, someAddress } from '../testing/index.ts';

const NEW = 'a wholly new one';

describe('POST /account/change-password', () => {
  const { core, member } = cast({ SINGLE_SESSION: false, LOGIN_FAILURES_FREE: 10 });

  const change = (session: Session, current: unknown, password: unknown = NEW) =>
    session.post('/account/change-password', { CurrentPassword: current, Password: password });

  for (const role of ['User', 'Admin'] as const) {
    it(`sets the new password, ends every other session and notifies the owner: ${role}`, async () => {
      const ann = await member({ role });
      const [mine, other] = [await ann.session(), await ann.session()];
      assert.equal((await change(mine, 'a wrong password').expect(403)).body.code, 'wrong_password');
      await other.isChecked().expect(200);
      await change(mine, PASSWORD).expect(200, {});
      await ann.logsIn().expect(404);
      await mine.isChecked().expect(200);
      assert.equal((await other.isChecked().expect(401)).body.code, 'session_deactivated');
      const [, ended] = await ann.sessions<object>('status, end_reason');
      assert.deepEqual(ended, { status: 4, end_reason: 'password_changed' });
      assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
      await ann.logsIn(NEW).expect(200);
    });
  }

  it('accepts an imported hash as a proof', async () => {
    const ann = await member();
    const mine = await ann.session();
    const imported = '$2a$04$ZXeyNc5z.5UwHvJ0RmC8SO0DERBi//vG9TFlApl9y0AOlJ3K/gTfW';
    await ann.set(`password_hash = '${imported}', password_scheme = 'raw'`);
    await change(mine, 'not that one').expect(403);
    await change(mine, 'imported horse').expect(200);
  });

  it('counts wrong passwords together with those of logins', async () => {
    const ann = await member();
    const mine = await ann.session();
    const attempt = { userName: ann.email, password: 'a wrong password', addressGroup: someAddress() };
    for (let failure = 0; failure < 5; failure += 1) await checkPassword(core().app, attempt);
    for (let failure = 0; failure < 5; failure += 1) await change(mine, 'a wrong password').expect(403);
    const refused = await change(mine, PASSWORD).expect(429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await checkPassword(core().app, { ...attempt, password: PASSWORD })).kind, 'throttled');
  });

  it('has the same password rules as registration', async () => {
    const ann = await member();
    const mine = await ann.session();
    for (const bad of ['short', 'password123', ann.email]) {
      const { body } = await change(mine, PASSWORD, bad).expect(400);
      assert.equal(body.errors[0].pointer, '/Password');
    }
    await ann.logsIn().expect(200);
  });

  it('lets one of many concurrent changes win', async () => {
    const ann = await member();
    const mine = await ann.session();
    const answers = await atOnce(6, (index) => change(mine, PASSWORD, `${NEW} ${index}`));
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    assert.equal(won.length, 1);
    await ann.logsIn(`${NEW} ${won[0]}`).expect(200);
  });

  it('invalidates codes that were mailed before', async () => {
    const ann = await member();
    const mine = await ann.session();
    await mine.post('/account/change-email', { Email: someEmail(), Password: PASSWORD }).expect(200);
    await change(mine, PASSWORD).expect(200);
    const sql = 'select id from account_code where account_id = ?';
    assert.deepEqual(await query(core().app.db, sql, [await ann.id()]), []);
  });

  /** Requests of somebody with a second factor, whose login with both factors was this long ago. */
  const isProtected = async (kind: 'email' | 'password', minutesAgo: number) => {
    moveClock(core().app, 0);
    const ann: Person = await member();
    const phone = await switchOnTwoFactor(core().app, await ann.id());
    const session = await ann.session({ TwoFactorCode: phone.recoveryCodes[0] });
    const sql = 'update user_session set authenticated_at = now() - make_interval(mins => ?) where id = ?';
    await query(core().app.db, sql, [minutesAgo, session.id]);
    const asks = (more: object = {}, current = PASSWORD) =>
      kind === 'email'
        ? session.post('/account/change-email', { Email: someEmail(), Password: current, ...more })
        : session.post('/account/change-password', { CurrentPassword: current, Password: NEW, ...more });
    return { ann, phone, asks };
  };

  for (const kind of ['email', 'password'] as const) {
    it(`takes a code too, once, or a login with both soon before, where there is a second factor: ${kind}`, async () => {
      const { ann, phone, asks } = await isProtected(kind, 6);
      assert.equal((await asks().expect(403)).body.code, 'confirmation_required');
      const TwoFactorCode = phone.nextCode();
      const { length } = await ann.mails();
      const wrong = await asks({ TwoFactorCode }, 'a wrong one').expect(403);
      assert.equal(wrong.body.code, 'wrong_password');
      assert.equal((await asks({ TwoFactorCode: '000000' }).expect(403)).body.code, 'wrong_code');
      assert.equal((await ann.mails()).length, length);
      await asks({ TwoFactorCode }).expect(200);
      const again = await asks({ TwoFactorCode }, kind === 'email' ? PASSWORD : NEW).expect(403);
      assert.equal(again.body.code, 'wrong_code');
      await (await isProtected(kind, 4)).asks().expect(200);
    });
  }
});
