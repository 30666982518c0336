import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const NEW = 'a wholly new one';

describe('POST /account/change-password', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions({ SINGLE_SESSION: false, LOGIN_FAILURES_FREE: 10 });
  });
  after(() => core.stop());

  const change = (who: string | { Token: string } | undefined, current: unknown, password: unknown = NEW) =>
    core.post('/account/change-password', who, { CurrentPassword: current, Password: password });
  const isPassword = async (email: string, password: string) =>
    (await checkPassword(core.app, { userName: email, password, addressGroup: someAddress() })).kind ===
    'right';

  it('sets the new password, ends every other session and notifies the owner', async () => {
    const ann = await core.newAccount();
    const [mine, other] = [await core.login(ann), await core.login(ann)];
    await change(mine, PASSWORD).expect(200, {});
    assert.deepEqual(
      [await isPassword(ann.email, PASSWORD), await isPassword(ann.email, NEW)],
      [false, true],
    );
    await core.get('/ping/auth', mine).expect(200);
    const ended = await core.get('/ping/auth', other).expect(401);
    assert.equal(ended.body.code, 'session_deactivated');
    const [row] = await query<{ status: number; end_reason: string }>(
      core.app.db,
      'select status, end_reason from user_session where id = ?',
      [other.sessionId],
    );
    assert.deepEqual(row, { status: 4, end_reason: 'password_changed' });
    const mails = await core.app.mailsTo(ann.email);
    assert.equal(mails.at(-1)?.type, 'account.password-changed');
  });

  it('refuses a wrong current password and changes nothing', async () => {
    const ann = await core.newAccount();
    const [mine, other] = [await core.login(ann), await core.login(ann)];
    assert.equal((await change(mine, 'a wrong password').expect(403)).body.code, 'wrong_password');
    assert.ok(await isPassword(ann.email, PASSWORD));
    await core.get('/ping/auth', other).expect(200);
  });

  it('counts wrong passwords together with those of logins', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    const attempt = { userName: ann.email, password: 'a wrong password', addressGroup: someAddress() };
    for (let failure = 0; failure < 5; failure += 1) await checkPassword(core.app, attempt);
    for (let failure = 0; failure < 5; failure += 1) await change(mine, 'a wrong password').expect(403);
    const refused = await change(mine, PASSWORD).expect(429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await checkPassword(core.app, { ...attempt, password: PASSWORD })).kind, 'throttled');
  });

  it('has the same password rules as registration', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    for (const bad of ['short', 'password123', ann.email, 'x'.repeat(257), 'with a \u0000 in it']) {
      const { body } = await change(mine, PASSWORD, bad).expect(400);
      assert.equal(body.errors[0].pointer, '/Password');
    }
    for (const bad of [undefined, null, ['a'], { $ne: '' }]) await change(mine, bad).expect(400);
    assert.ok(await isPassword(ann.email, PASSWORD));
  });

  it('lets one of many concurrent changes win', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    const overrides = Array.from({ length: 6 }, (_, index) => `a wholly new one ${index}`);
    const answers = await Promise.all(overrides.map((wish) => change(mine, PASSWORD, wish)));
    const won = overrides.filter((_, index) => answers[index]?.status === 200);
    assert.equal(won.length, 1);
    assert.ok(await isPassword(ann.email, won[0] ?? ''));
  });

  it('invalidates codes that were mailed before', async () => {
    const ann = await core.newAccount();
    const mine = await core.login(ann);
    await core
      .post('/account/change-email', mine, { Email: `new.${ann.email}`, Password: PASSWORD })
      .expect(200);
    await change(mine, PASSWORD).expect(200);
    const codes = await query(core.app.db, 'select id from account_code where account_id = ?', [ann.id]);
    assert.equal(codes.length, 0);
  });
});
