import assert from 'node:assert/strict';
import { atOnce, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { RETURN_URL, personClaims, useSso } from '../testing/browser.ts';

const LIMIT = 100;

describe('callbacks of sign-ons that fail', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });

  const asked = (): number => sso.provider('demo').seen.filter((path) => path === '/token').length;
  const used = async (): Promise<number> => (await sso.sql('select 1 from sso_attempt')).length;
  /** A callback with a code that the provider has not issued. */
  const invented = async (address: string) => {
    const browser = sso.browser(address);
    const callback = new URL(await browser.visit(await browser.begin('demo')));
    callback.searchParams.set('code', 'invented');
    return browser.returnFromProvider(callback.href);
  };
  const failTimes = async (times: number, fail: () => Promise<unknown>) => {
    for (let done = 0; done < times; done += 10) await atOnce(Math.min(10, times - done), fail);
  };

  it('are limited per address: beyond that, the provider is not asked and the attempt not used up', async () => {
    const address = someAddress();
    const [askedBefore, usedBefore] = [asked(), await used()];
    await failTimes(LIMIT, async () => {
      assert.deepEqual((await invented(address)).parameters, { error: 'provider_error' });
    });
    assert.equal(asked() - askedBefore, LIMIT);
    const refused = await invented(address);
    const shown = [refused.status, refused.returnUrl, refused.parameters];
    assert.deepEqual(shown, [303, RETURN_URL, { error: 'too_many_requests' }]);
    assert.deepEqual([asked() - askedBefore, (await used()) - usedBefore], [LIMIT, LIMIT]);
    const { callback, cookie } = await sso.sentBack();
    const again = await sso.browser(address).returnFromProvider(callback, { cookie });
    assert.deepEqual(again.parameters, { error: 'too_many_requests' });
    const elsewhere = await sso.browser().returnFromProvider(callback, { cookie });
    assert.ok(elsewhere.parameters['demo_token'], JSON.stringify(elsewhere.parameters));
  });

  it('are limited if one attempt is repeated', async () => {
    const { callback, cookie } = await sso.sentBack();
    const address = someAddress();
    const repeat = () => sso.browser(address).returnFromProvider(callback, { cookie });
    assert.ok((await repeat()).parameters['demo_token']);
    await failTimes(LIMIT, async () => {
      assert.deepEqual((await repeat()).parameters, { error: 'invalid_attempt' });
    });
    assert.deepEqual((await repeat()).parameters, { error: 'too_many_requests' });
  });

  it('do not count if they succeed, or the provider is down', async () => {
    const address = someAddress();
    await failTimes(LIMIT - 1, () => invented(address));
    sso.recognise('demo', personClaims(someEmail()), { failing: ['token'] });
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual((await invented(address)).parameters, { error: 'provider_unavailable' });
    sso.recognise('demo', personClaims(someEmail()));
    for (let time = 0; time < 3; time += 1)
      assert.ok((await sso.browser(address).signOn('demo')).parameters['demo_token']);
  });

  it('do not count against passwords', async () => {
    const { app } = sso.admin;
    const address = someAddress();
    await failTimes(LIMIT, () => invented(address));
    assert.equal((await app.failures.admit(address)).admitted, true);
  });

  it('cannot be forged without a cookie of an attempt, and then do not count', async () => {
    const victim = someAddress();
    const page = async () => {
      const callback = 'https://admin.gatehouse.test/auth/demo/callback?state=made-up&code=invented';
      assert.equal((await sso.browser(victim).returnFromProvider(callback)).status, 400);
    };
    await failTimes(LIMIT + 1, page);
    sso.recognise('demo', personClaims(someEmail()));
    assert.ok((await sso.browser(victim).signOn('demo')).parameters['demo_token']);
  });
});
