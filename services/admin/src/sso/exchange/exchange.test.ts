import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { someAddress, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
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

  it('refuses a code that was changed, invented, used or expired, or that is a page’s', async () => {
    const verifier = newVerifier();
    const { parameters } = await signOn(verifier);
    const code = parameters['code'] ?? '';
    for (const wrong of [
      code.slice(4),
      code.slice(0, -1),
      `${code}A`,
      code.toUpperCase(),
      `sso_${newVerifier()}`,
    ])
      await assertInvalid(wrong, verifier);
    const set = (change: string) =>
      query(sso.admin.app.db, `update sign_on_code set ${change} where code_challenge = ?`, [
        challengeOf(verifier),
      ]);
    await set('expires_at = now()');
    await assertInvalid(code, verifier);
    await set(`expires_at = now() + interval '1 minute'`);
    assert.equal((await exchange(code, verifier)).status, 200);
    await assertInvalid(code, verifier);
    const back = await sso.browser().signOn('demo', `?pages=true&state=${newVerifier()}`);
    const pages = new URLSearchParams(back.headers['location']?.split('#')[1]).get('HandoverCode');
    await assertInvalid(pages, verifier);
  });

  it('opens the session, which a mere visit to the sign-on does not', async () => {
    const verifier = newVerifier();
    const person = await sso.admin.newAccount();
    const { Token } = await sso.admin.login(person);
    const refusal = async (): Promise<string | undefined> => {
      const caller = await sso.admin.app.auth.authenticate(`Bearer ${Token}`);
      return caller.kind === 'refused' ? caller.code : undefined;
    };
    const { parameters } = await signOn(verifier, { email: person.email });
    await sso.browser().signOn('demo', `?pages=true&state=${newVerifier()}`);
    assert.equal(await refusal(), undefined);
    assert.equal((await exchange(parameters['code'], verifier)).status, 200);
    assert.equal(await refusal(), 'session_replaced');
  });

  it('opens it for the browser that signed on, whoever exchanges the code', async () => {
    const verifier = newVerifier();
    const address = someAddress();
    const email = someEmail();
    sso.recognise('demo', personClaims(email));
    const { parameters } = await sso
      .browser(address)
      .signOn('demo', `?codeChallenge=${challengeOf(verifier)}`);
    assert.equal((await exchange(parameters['code'], verifier)).status, 200);
    const sessions = await query<{ address: string }>(
      sso.admin.app.db,
      `select host(s.ip_address) as address from user_session s join account a on a.id = s.account_id
       where a.email = ?`,
      [email],
    );
    assert.deepEqual(sessions, [{ address }]);
  });

  it('is refused if the account or its identity has changed, or the provider has logged the user out', async () => {
    const { app, http } = sso.admin;
    const of = (email: string) => `account_id = (select id from account where email = '${email}')`;
    const logOut = (email: string) =>
      http
        .post('/auth/demo/backchannel-logout')
        .type('form')
        .send({ logout_token: sso.provider('demo').logoutToken({ sub: personClaims(email).sub }) });
    for (const [change, error] of [
      [(email: string) => query(app.db, `delete from sso_identity where ${of(email)}`), 'invalid_attempt'],
      [
        (email: string) => query(app.db, 'update account set is_disabled = true where email = ?', [email]),
        'account_disabled',
      ],
      [
        (email: string) =>
          query(app.db, 'update account set two_factor_required = true where email = ?', [email]),
        'invalid_attempt',
      ],
      [logOut, 'invalid_attempt'],
    ] as const) {
      const verifier = newVerifier();
      const email = someEmail();
      const { clock } = app;
      // The sign-on began a while ago: times are compared with a tolerance of five seconds.
      clock.now = () => Date.now() - 10_000;
      sso.recognise('demo', personClaims(email));
      const browser = sso.browser();
      const begun = browser.begin('demo', `?codeChallenge=${challengeOf(verifier)}`);
      const callback = await browser.visit(await begun.finally(() => (clock.now = Date.now)));
      const { parameters } = await browser.returnFromProvider(callback);
      await change(email);
      assert.equal((await exchange(parameters['code'], verifier)).body.code, error);
      const opened = await query(app.db, `select 1 from user_session where ${of(email)}`);
      assert.deepEqual(opened, []);
    }
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
});
