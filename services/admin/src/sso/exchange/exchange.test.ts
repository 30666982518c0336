import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { createExchangeCodes } from './exchange-codes.ts';
import { RETURN_URL, personClaims, startSso, type TestSso } from '../testing/browser.ts';

describe('POST /api/auth/{provider}/exchange', function () {
  this.timeout(20_000);
  let sso: TestSso;
  before(async () => {
    sso = await startSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });
  });
  after(() => sso.stop());

  const newVerifier = (): string => randomBytes(32).toString('base64url');
  const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
  /** Signs a person on for an app with this verifier. */
  const signOn = async (verifier: string, { email = someEmail(), query: more = '' } = {}) => {
    sso.recognise('demo', personClaims(email));
    return sso.browser().signOn('demo', `?codeChallenge=${challengeOf(verifier)}${more}`);
  };
  const exchange = (code: unknown, codeVerifier: unknown, id = 'demo') =>
    sso.admin.post(`/api/auth/${id}/exchange`, undefined, { code, codeVerifier });
  const assertInvalid = async (code: unknown, verifier: unknown, id = 'demo') => {
    const { status, body } = await exchange(code, verifier, id);
    assert.deepEqual([status, body.code], [400, 'invalid_attempt']);
  };

  it('returns the tokens of a sign-on, which are in no URL, once', async () => {
    const verifier = newVerifier();
    const state = newVerifier();
    const { returnUrl, parameters } = await signOn(verifier, { query: `&state=${state}` });
    assert.equal(returnUrl, RETURN_URL);
    assert.deepEqual(Object.keys(parameters).toSorted(), ['authCallback', 'code', 'state']);
    assert.equal(parameters['state'], state);
    const { status, body, headers } = await exchange(parameters['code'], verifier);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${body.token}`);
    assert.equal(caller.kind, 'session');
    const renewed = await sso.admin.post('/api/auth/demo/renew', undefined, {
      refreshToken: body.refreshToken,
    });
    assert.equal(renewed.status, 200);
    await assertInvalid(parameters['code'], verifier);
  });

  it('returns the tokens to one of several concurrent requests', async () => {
    const verifier = newVerifier();
    const { parameters } = await signOn(verifier);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => exchange(parameters['code'], verifier)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...Array<number>(7).fill(400)],
    );
  });

  it('refuses a wrong verifier without using up the code', async () => {
    const verifier = newVerifier();
    const { parameters } = await signOn(verifier);
    const code = parameters['code'] ?? '';
    for (const wrong of [newVerifier(), challengeOf(verifier), `${verifier}A`])
      await assertInvalid(code, wrong);
    await assertInvalid(code, verifier, 'other');
    assert.equal((await exchange(code, verifier)).status, 200);
  });

  it('refuses a code that was changed, invented, respelled after its use, or expired', async () => {
    const verifier = newVerifier();
    const { parameters } = await signOn(verifier);
    const code = parameters['code'] ?? '';
    const bytes = Buffer.from(code, 'base64url');
    for (const at of [0, 5, 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assertInvalid(changed.toString('base64url'), verifier);
    }
    await assertInvalid(newVerifier(), verifier);
    assert.equal((await exchange(code, verifier)).status, 200);
    // Some bits of the last character are ignored: a used code must stay invalid in every spelling.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      await assertInvalid(code.slice(0, -1) + last, verifier);
    const { TOKEN_SECRET } = sso.admin.app.settings;
    const earlier = createExchangeCodes({ secret: TOKEN_SECRET, now: () => Date.now() - 60_000 });
    const refreshToken = 'x';
    const late = earlier.create('demo', { refreshToken, challenge: challengeOf(verifier) });
    await assertInvalid(late, verifier);
    // The same code is opened within its lifetime; then the invalid refresh token in it is refused.
    const current = createExchangeCodes({ secret: TOKEN_SECRET, now: Date.now });
    const opened = current.create('demo', { refreshToken, challenge: challengeOf(verifier) });
    assert.equal((await exchange(opened, verifier)).body.code, 'token_invalid');
  });

  it('is refused for a session that has ended', async () => {
    const verifier = newVerifier();
    const email = someEmail();
    const { parameters } = await signOn(verifier, { email });
    await signOn(newVerifier(), { email });
    const { status, body } = await exchange(parameters['code'], verifier);
    assert.deepEqual([status, body.code], [401, 'session_replaced']);
  });

  it('returns errors to the app with its state', async () => {
    const state = newVerifier();
    const email = someEmail();
    await signOn(newVerifier(), { email });
    await query(sso.admin.app.db, 'update account set is_disabled = true where email = ?', [email]);
    const { parameters } = await signOn(newVerifier(), { email, query: `&state=${state}` });
    assert.deepEqual(parameters, { error: 'account_disabled', state });
  });

  it('requires a valid challenge, and no pages', async () => {
    const verifier = newVerifier();
    for (const wrong of [
      'codeChallenge=short',
      `codeChallenge=${challengeOf(verifier)}=`,
      `codeChallenge=${challengeOf(verifier)}&pages=true&state=${verifier}`,
      `state=${verifier}`,
    ]) {
      const { status } = await sso.browser().get(`https://admin.gatehouse.test/auth/demo/login?${wrong}`);
      assert.equal(status, 400, wrong);
    }
  });

  for (const [what, body] of [
    ['nothing', {}],
    ['a code alone', { code: 'abc' }],
    ['a short verifier', { code: 'abc', codeVerifier: 'x'.repeat(42) }],
    ['an odd verifier', { code: 'abc', codeVerifier: '☃'.repeat(43) }],
    ['a code beyond measure', { code: 'x'.repeat(2049), codeVerifier: 'x'.repeat(43) }],
  ] as const) {
    it(`responds with 400 to ${what}`, async () => {
      const { status, body: answer } = await sso.admin.post('/api/auth/demo/exchange', undefined, body);
      assert.deepEqual([status, answer.code], [400, 'invalid_request']);
    });
  }
});
