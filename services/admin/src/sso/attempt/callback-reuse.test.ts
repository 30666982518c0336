import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import {
  ADMIN_URL,
  hasTokens,
  RETURN_URL,
  personClaims,
  startSso,
  type TestSso,
} from '../testing/browser.ts';

describe('the callback of a sign-on, used again', function () {
  this.timeout(20_000);
  let sso: TestSso;
  before(async () => {
    sso = await startSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });
  });
  after(() => sso.stop());

  it('works in two tabs of one browser concurrently, in any order', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const [one, two] = [await browser.begin('demo'), await browser.begin('demo')];
    assert.equal(browser.jar.all().length, 2);
    const [callbackOne, callbackTwo] = [await browser.visit(one), await browser.visit(two)];
    assert.ok(hasTokens(await browser.returnFromProvider(callbackTwo)));
    assert.ok(hasTokens(await browser.returnFromProvider(callbackOne)));
  });

  it('keeps working in a browser that starts many sign-ons, as a foreign page can trigger', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const begun: string[] = [];
    for (let time = 0; time < 60; time += 1) begun.push(await browser.begin('demo'));
    const sent = browser.jar.header(`${ADMIN_URL}/auth/demo/callback`);
    assert.ok(sent.length < 6000, `the cookies come to ${sent.length} characters`);
    for (const recent of begun.slice(-5)) {
      assert.ok(hasTokens(await browser.returnFromProvider(await browser.visit(recent))));
    }
    const oldest = await browser.returnFromProvider(await browser.visit(begun[0] ?? ''));
    assert.deepEqual([oldest.status, oldest.body['code']], [400, 'invalid_attempt']);
  });

  it('issues tokens once, with repeated and concurrent callbacks', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const callback = await browser.visit(await browser.begin('demo'));
    const cookie = browser.jar.header(callback);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sso.browser().returnFromProvider(callback, { cookie })),
    );
    assert.equal(answers.filter((answer) => hasTokens(answer)).length, 1);
    const others = answers.filter((answer) => !hasTokens(answer));
    for (const { status, returnUrl, parameters } of others) {
      assert.deepEqual([status, returnUrl, parameters], [303, RETURN_URL, { error: 'invalid_attempt' }]);
    }
    const later = await sso.browser().returnFromProvider(callback, { cookie });
    assert.deepEqual(later.parameters, { error: 'invalid_attempt' });
  });

  it('cannot be repeated, even if the provider accepts codes twice', async () => {
    const browser = sso.browser();
    const provider = sso.provider('demo');
    sso.recognise('demo', personClaims(someEmail()));
    const authorization = await browser.begin('demo');
    const first = await browser.visit(authorization);
    const second = await browser.visit(authorization);
    const cookie = browser.jar.header(first);
    assert.ok(hasTokens(await browser.returnFromProvider(first)));
    const asked = provider.seen.length;
    const again = await sso.browser().returnFromProvider(second, { cookie });
    assert.deepEqual(again.parameters, { error: 'invalid_attempt' });
    assert.equal(provider.seen.length, asked);
  });

  it('expires after ten minutes by the database’s clock', async () => {
    const { app } = sso.admin;
    const browser = sso.browser();
    app.clock.now = () => Date.now() - 601_000;
    try {
      const back = await browser.signOn('demo');
      assert.deepEqual(back.parameters, { error: 'invalid_attempt' });
    } finally {
      app.clock.now = Date.now;
    }
  });

  it('is refused with another issuer (mix-up, RFC 9207)', async () => {
    const back = await sso.signOn('demo', personClaims(someEmail()), {
      answer: { iss: sso.provider('other').issuer },
    });
    assert.deepEqual(back.parameters, { error: 'provider_error' });
  });
});
