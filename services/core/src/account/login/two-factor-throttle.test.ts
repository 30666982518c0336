import assert from 'node:assert/strict';
import { failuresFor, failuresOf as count, moveClock, setFailures as set } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf } from '../../testing/cast.ts';
import { PASSWORD, someAddress } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

describe('guesses of a second factor at login', () => {
  const { core } = cast({ LOGIN_FAILURES_FREE: 10 });
  before(() => moveClock(core().app, 0));

  const owner = () => newOwner(core());
  const attempt = (body: object, address = someAddress()) =>
    core().post('/account/login', body, { 'x-forwarded-for': address });
  const setFailures = (email: string, failures: number) => set(core().app, failuresFor(email), failures);
  const failuresOf = (email: string) => count(core().app, failuresFor(email));

  it('count like wrong passwords, and the right password does not reset them', async () => {
    const { email, phone, withPassword, ask } = await owner();
    for (let failure = 1; failure <= 10; failure += 1) {
      const token = await ask();
      const guess = failure % 2 === 0 ? { TwoFactorToken: token } : { ...withPassword };
      await attempt({ ...guess, TwoFactorCode: phone.wrongCode() }).expect(404);
      assert.equal(await failuresOf(email), failure);
    }
    const refused = await attempt(withPassword).expect(429);
    assert.equal(refused.headers['retry-after'], '1');
    const TwoFactorCode = phone.nextCode();
    await eventually(async () => (await attempt({ ...withPassword, TwoFactorCode })).status === 200, 3);
    assert.equal(await failuresOf(email), 0);
  });

  for (const how of ['with the right password', 'over many tokens'] as const) {
    it(`are limited to ten of a hundred concurrent ones, ${how}`, async () => {
      const { phone, withPassword, ask } = await owner();
      const asked: object[] = [withPassword];
      if (how === 'over many tokens')
        for (let index = 0; index < 25; index += 1) asked[index] = { TwoFactorToken: await ask() };
      const TwoFactorCode = phone.wrongCode();
      const answers = await atOnce(100, (index) =>
        attempt({ ...asked[index % asked.length], TwoFactorCode }),
      );
      const checked = countOf(404, answers);
      assert.ok(checked <= 10, `${checked} were checked`);
      await attempt(withPassword).expect(429);
    });
  }

  it('do not lock the owner out: after the delay, password and code are accepted, in one request or two', async () => {
    const { email, phone, withPassword, ask } = await owner();
    await setFailures(email, 500);
    const TwoFactorToken = await ask();
    assert.equal(await failuresOf(email), 500);
    await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await failuresOf(email), 0);
    await setFailures(email, 500);
    await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await failuresOf(email), 0);
  });

  it('increase the delay with each failure, even with right passwords in between', async () => {
    const { email, phone, withPassword, ask } = await owner();
    await setFailures(email, 12);
    const TwoFactorToken = await ask();
    await attempt({ TwoFactorToken, TwoFactorCode: phone.wrongCode() }).expect(404);
    const refused = await attempt(withPassword).expect(429);
    assert.equal(refused.headers['retry-after'], '8');
    await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(429);
  });

  it('are not reset by a password reset', async () => {
    const { email, phone, withPassword } = await owner();
    await attempt({ ...withPassword, TwoFactorCode: phone.wrongCode() }).expect(404);
    const reset = { Email: email, Code: await core().forget(email), Password: `${PASSWORD} anew` };
    await core().post('/account/reset-password', reset).expect(200);
    assert.equal(await failuresOf(email), 1);
  });

  it('and guesses of tokens count against the address', async () => {
    const { withPassword } = await owner();
    const address = someAddress();
    const guess = { TwoFactorToken: 'A'.repeat(43), TwoFactorCode: '123456' };
    for (let from = 0; from < 100; from += 20)
      assert.equal(countOf(404, await atOnce(20, () => attempt(guess, address))), 20);
    await attempt(guess, address).expect(429);
    await attempt(withPassword, address).expect(429);
    await attempt(withPassword).expect(200);
  });
});
