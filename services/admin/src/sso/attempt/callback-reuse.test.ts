import assert from 'node:assert/strict';
import { atOnce, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { ADMIN_URL, RETURN_URL, hasTokens, personClaims, useSso } from '../testing/browser.ts';

const LIMIT = 100;
const ROUTE = '/auth/:provider/callback';

describe('the callback of a sign-on, used again', () => {
  const sso = useSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });

  it('keeps working in a browser that starts many sign-ons, as a foreign page can trigger', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const begun: string[] = [];
    for (let time = 0; time < 60; time += 1) begun.push(await browser.begin('demo'));
    const sent = browser.jar.header(`${ADMIN_URL}/auth/demo/callback`);
    assert.ok(sent.length < 6000, `the cookies come to ${sent.length} characters`);
    for (const recent of begun.slice(-5))
      assert.ok(hasTokens(await browser.returnFromProvider(await browser.visit(recent))));
    const oldest = await browser.returnFromProvider(await browser.visit(begun[0] ?? ''));
    assert.deepEqual([oldest.status, oldest.body['code']], [400, 'invalid_attempt']);
  });

  it('issues tokens once, with repeated and concurrent callbacks', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const callback = await browser.visit(await browser.begin('demo'));
    const cookie = browser.jar.header(callback);
    const answers = await atOnce(10, () => sso.browser().returnFromProvider(callback, { cookie }));
    assert.equal(answers.filter((answer) => hasTokens(answer)).length, 1);
    const others = answers.filter((answer) => !hasTokens(answer));
    for (const { status, returnUrl, parameters } of others)
      assert.deepEqual([status, returnUrl, parameters], [303, RETURN_URL, { error: 'invalid_attempt' }]);
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
      assert.deepEqual((await browser.signOn('demo')).parameters, { error: 'invalid_attempt' });
    } finally {
      app.clock.now = Date.now;
    }
  });

  it('is refused with another issuer (mix-up, RFC 9207)', async () => {
    const lie = { answer: { iss: sso.provider('other').issuer } };
    const back = await sso.signOn('demo', personClaims(someEmail()), lie);
    assert.deepEqual(back.parameters, { error: 'provider_error' });
  });
});

describe('callbacks of sign-ons that fail', function () {
  this.timeout(60_000);
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
    sso.recognise('demo', personClaims(someEmail()));
    const good = sso.browser(address);
    const callback = await good.visit(await good.begin('demo'));
    const cookie = good.jar.header(callback);
    assert.deepEqual((await good.returnFromProvider(callback)).parameters, { error: 'too_many_requests' });
    const elsewhere = await sso.browser().returnFromProvider(callback, { cookie });
    assert.ok(elsewhere.parameters['demo_token'], JSON.stringify(elsewhere.parameters));
  });

  it('are limited if one attempt is repeated', async () => {
    const browser = sso.browser();
    sso.recognise('demo', personClaims(someEmail()));
    const callback = await browser.visit(await browser.begin('demo'));
    const cookie = browser.jar.header(callback);
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

describe('the session that a sign-on opens', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });

  it('leaves no address, code, token or cookie in the log', async () => {
    const { lines } = sso.admin.app;
    const before = lines.length;
    const email = someEmail();
    const browser = sso.browser();
    sso.recognise('demo', personClaims(email));
    const callback = await browser.visit(await browser.begin('demo'));
    const cookie = browser.jar.all()[0]?.value ?? '';
    const back = await browser.returnFromProvider(callback);
    assert.ok(hasTokens(back));
    const secrets = [
      ...new URL(callback).searchParams.values(),
      ...Object.values(back.parameters),
      cookie,
      email,
      personClaims(email).sub,
    ].filter((text) => text !== 'true' && text !== sso.provider('demo').issuer);
    const line = await eventually(() =>
      lines.slice(before).find((one) => one['accountId'] !== undefined && one['route'] === ROUTE),
    );
    assert.deepEqual([line['provider'], typeof line['accountId']], ['demo', 'string']);
    const log = JSON.stringify(lines);
    for (const secret of secrets) assert.ok(!log.includes(secret), secret);
  });

  it('leaves one session after ten concurrent sign-ons', async () => {
    const person = await sso.member();
    sso.recognise('demo', personClaims(person.email));
    const backs = await atOnce(10, () => sso.browser().signOn('demo'));
    const shown = backs.every((back) => hasTokens(back));
    assert.ok(shown, JSON.stringify(backs.map(({ parameters }) => parameters['error'])));
    const statement = 'select status from user_session where account_id = ? order by status';
    const statuses = [1, ...Array<number>(9).fill(3)].map((status) => ({ status }));
    assert.deepEqual(await sso.sql(statement, [person.id]), statuses);
  });
});
