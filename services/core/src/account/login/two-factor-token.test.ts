import assert from 'node:assert/strict';
import { moveClock } from '@gatehouse/accounts/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { accounts, query, inTransaction } from '@gatehouse/db';
import { startCore, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const AUTHENTICATION_FAILED = { status: 404, code: 'authentication_failed' };

describe('the token between password and second factor', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const attempt = (body: object) => core.post('/account/login', body);
  const outcomeOf = async (body: object) => {
    const answer = await attempt(body);
    return { status: answer.status, code: (answer.body as { code?: string }).code };
  };

  it('accepts a token once', async () => {
    const { phone, ask } = await newOwner(core);
    const TwoFactorToken = await ask();
    await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.deepEqual(
      await outcomeOf({ TwoFactorToken, TwoFactorCode: phone.nextCode() }),
      AUTHENTICATION_FAILED,
    );
  });

  it('accepts five codes per token', async () => {
    const { phone, ask } = await newOwner(core);
    const TwoFactorToken = await ask();
    for (let wrong = 0; wrong < 5; wrong += 1) {
      const tried = { TwoFactorToken, TwoFactorCode: phone.wrongCode() };
      assert.deepEqual(await outcomeOf(tried), AUTHENTICATION_FAILED);
    }
    assert.deepEqual(
      await outcomeOf({ TwoFactorToken, TwoFactorCode: phone.nextCode() }),
      AUTHENTICATION_FAILED,
    );
  });

  it('accepts a token for five minutes', async () => {
    const { id, phone, ask } = await newOwner(core);
    const TwoFactorToken = await ask();
    const move = (seconds: number) =>
      query(
        core.app.db,
        `update two_factor_challenge set expires_at = expires_at - make_interval(secs => ?) where account_id = ?`,
        [seconds, id],
      );
    await move(290);
    await attempt({ TwoFactorToken, TwoFactorCode: phone.wrongCode() }).expect(404);
    const [left] = await query<{ tries: number }>(
      core.app.db,
      'select tries_left as tries from two_factor_challenge where account_id = ?',
      [id],
    );
    assert.equal(left?.tries, 4);
    await move(11);
    assert.deepEqual(
      await outcomeOf({ TwoFactorToken, TwoFactorCode: phone.nextCode() }),
      AUTHENTICATION_FAILED,
    );
  });

  it('refuses a code of another account', async () => {
    const [ann, bob] = [await newOwner(core), await newOwner(core)];
    const TwoFactorToken = await ann.ask();
    for (const TwoFactorCode of [bob.phone.nextCode(), bob.phone.codeAt(), bob.recoveryCode()]) {
      assert.deepEqual(await outcomeOf({ TwoFactorToken, TwoFactorCode }), AUTHENTICATION_FAILED);
    }
  });

  it('invalidates a token when the password changes', async () => {
    const { id, phone, ask } = await newOwner(core);
    const TwoFactorToken = await ask();
    const passwordHash = await core.app.passwords.hash('a wholly new one');
    await inTransaction(core.app.db, NO_DEADLINE, (tx) => accounts.updatePassword(tx, id, passwordHash));
    assert.deepEqual(
      await outcomeOf({ TwoFactorToken, TwoFactorCode: phone.nextCode() }),
      AUTHENTICATION_FAILED,
    );
  });
});
