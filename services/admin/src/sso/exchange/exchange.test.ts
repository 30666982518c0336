import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { atOnce, someAddress, someEmail, statusesOf } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { RETURN_URL, personClaims, useSso, problem, type TestSso } from '../testing/browser.ts';

const newVerifier = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

function appAt(sso: TestSso) {
  return {
    signOn: async (verifier: string, { email = someEmail(), query: more = '' } = {}) => {
      sso.recognise('demo', personClaims(email));
      return sso.browser().signOn('demo', `?codeChallenge=${challengeOf(verifier)}${more}`);
    },
    exchange: (code: unknown, codeVerifier: unknown, id = 'demo') =>
      sso.admin.post(`/api/auth/${id}/exchange`, undefined, { code, codeVerifier }),
  };
}

describe('POST /api/auth/{provider}/exchange', () => {
  const sso = useSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });

  const { signOn, exchange } = appAt(sso);
  const assertInvalid = (code: unknown, verifier: unknown, id = 'demo') =>
    exchange(code, verifier, id).expect(problem('invalid_attempt'));

  it('returns the tokens of a sign-on, which are in no URL, once', async () => {
    const verifier = newVerifier();
    const state = newVerifier();
    const { returnUrl, parameters } = await signOn(verifier, { query: `&state=${state}` });
    assert.equal(returnUrl, RETURN_URL);
    assert.deepEqual(Object.keys(parameters).toSorted(), ['authCallback', 'code', 'state']);
    assert.equal(parameters['state'], state);
    const { status, body, headers } = await exchange(parameters['code'], verifier);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    assert.equal((await sso.admin.app.auth.authenticate(`Bearer ${body.token}`)).kind, 'session');
    const { refreshToken } = body;
    await sso.admin.post('/api/auth/demo/renew', undefined, { refreshToken }).expect(200);
    await assertInvalid(parameters['code'], verifier);
  });

  it('returns the tokens to one of several concurrent requests', async () => {
    const verifier = newVerifier();
    const { parameters } = await signOn(verifier);
    const answers = await atOnce(8, () => exchange(parameters['code'], verifier));
    assert.deepEqual(statusesOf(answers), [200, ...Array<number>(7).fill(400)]);
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
    const cut = [code.slice(4), code.slice(0, -1)];
    for (const wrong of [...cut, `${code}A`, code.toUpperCase(), `sso_${newVerifier()}`])
      await assertInvalid(wrong, verifier);
    const set = (change: string) =>
      sso.sql(`update sign_on_code set ${change} where code_challenge = ?`, [challengeOf(verifier)]);
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
    const person = await sso.member();
    const { Token } = await sso.login(person);
    const { parameters } = await signOn(verifier, { email: person.email });
    await sso.browser().signOn('demo', `?pages=true&state=${newVerifier()}`);
    assert.equal(await sso.standing(Token), 'User');
    assert.equal((await exchange(parameters['code'], verifier)).status, 200);
    assert.equal(await sso.standing(Token), 'session_replaced');
  });

  it('opens it for the browser that signed on, whoever exchanges the code', async () => {
    const verifier = newVerifier();
    const address = someAddress();
    const email = someEmail();
    sso.recognise('demo', personClaims(email));
    const search = `?codeChallenge=${challengeOf(verifier)}`;
    const { parameters } = await sso.browser(address).signOn('demo', search);
    assert.equal((await exchange(parameters['code'], verifier)).status, 200);
    const statement = `select host(s.ip_address) as address from user_session s join account a on a.id = s.account_id
       where a.email = ?`;
    assert.deepEqual(await sso.sql<{ address: string }>(statement, [email]), [{ address }]);
  });

  it('is refused if the account or its identity has changed, or the provider has logged the user out', async () => {
    const logOut = (email: string) =>
      sso.logOut('demo', sso.provider('demo').logoutToken({ sub: personClaims(email).sub }));
    for (const [change, error] of [
      ['delete from sso_identity where account_id = :id', 'invalid_attempt'],
      ['update account set is_disabled = true where id = :id', 'account_disabled'],
      ['update account set two_factor_required = true where id = :id', 'invalid_attempt'],
      [logOut, 'invalid_attempt'],
    ] as const) {
      const [verifier, email] = [newVerifier(), someEmail()];
      sso.recognise('demo', personClaims(email));
      const back = await sso.comingBack('demo', `?codeChallenge=${challengeOf(verifier)}`);
      const { parameters } = await back();
      const { id } = (await sso.findAccount(email)) ?? assert.fail();
      await (typeof change === 'string' ? sso.sql(change, { id }) : change(email));
      assert.equal((await exchange(parameters['code'], verifier)).body.code, error);
      assert.deepEqual(await sso.sql('select 1 from user_session where account_id = ?', [id]), []);
    }
  });

  it('returns errors to the app with its state', async () => {
    const state = newVerifier();
    const email = someEmail();
    await signOn(newVerifier(), { email });
    await sso.sql('update account set is_disabled = true where email = ?', [email]);
    const { parameters } = await signOn(newVerifier(), { email, query: `&state=${state}` });
    assert.deepEqual(parameters, { error: 'account_disabled', state });
  });
});

describe('single sign-on with SESSION_SLOTS and SESSION_LIMIT=refuse', () => {
  const sso = useSso(
    { demo: { provisioning: 'jit' } },
    { SESSION_SLOTS: 'web:1,mobile:1', SESSION_LIMIT: 'refuse' },
  );

  const { signOn, exchange } = appAt(sso);
  const codeFor = async (verifier: string, email: string, more = '') =>
    (await signOn(verifier, { email, query: more })).parameters['code'] ?? '';
  const sessionOf = async (email: string, more = ''): Promise<string> => {
    const verifier = newVerifier();
    const { body } = await exchange(await codeFor(verifier, email, more), verifier).expect(200);
    return body.token as string;
  };

  /** Waits for the account's sign-ins, which are written after the answer: the reason, or the result. */
  const showsSignIns = async (email: string, expected: readonly string[]) => {
    const path = `/admin/sign-in?userId=${(await sso.findAccount(email))?.id}`;
    const items = await eventually(async () => {
      const { Items } = await sso.boss.read(path);
      return Items.length === expected.length && (Items as { Result: string; Reason: string | null }[]);
    });
    const shown = items.map(({ Result, Reason }) => Reason ?? Result);
    assert.deepEqual(shown, expected);
  };

  it('opens sessions of different tags side by side', async () => {
    const email = someEmail();
    const tokens = [await sessionOf(email), await sessionOf(email, '&sessionTag=mobile')];
    assert.deepEqual(await Promise.all(tokens.map((token) => sso.standing(token))), ['User', 'User']);
  });

  it('refuses an unknown tag, and one for the console', async () => {
    for (const [more, code] of [
      ['?sessionTag=fridge', 'unknown_value'],
      [`?console=true&state=${newVerifier()}&sessionTag=web`, 'does_not_go_with'],
    ] as const) {
      const { status, body } = await sso.admin.get(`/auth/demo/login${more}`);
      const shown = [status, body.errors[0].pointer, body.errors[0].code];
      assert.deepEqual(shown, [400, '/query/sessionTag', code]);
    }
  });

  it('refuses an exchange while the slot is taken, and takes the token like a code, once, for the same app', async () => {
    const email = someEmail();
    const first = await sessionOf(email);
    const verifier = newVerifier();
    const code = await codeFor(verifier, email);
    const { status, body } = await exchange(code, verifier);
    assert.deepEqual([status, body.code, body.Active.length], [409, 'session_exists', 1]);
    assert.equal(await sso.standing(first), 'User');
    const token = body.TakeOverToken as string;
    // The code is used up: only the token takes the session over.
    assert.equal((await exchange(code, verifier)).status, 400);
    assert.equal((await exchange(token, newVerifier())).status, 400);
    const { body: tokens } = await exchange(token, verifier).expect(200);
    const shown = [await sso.standing(first), await sso.standing(tokens.token as string)];
    assert.deepEqual(shown, ['session_replaced', 'User']);
    assert.equal((await exchange(token, verifier)).status, 400);
    await showsSignIns(email, ['Succeeded', 'session_exists', 'Succeeded']);
  });

  it('refuses a token after two minutes, after a change of the password, and once the identity is unlinked', async () => {
    for (const change of [
      `update sign_on_code set expires_at = expires_at - interval '2 minutes' where account_id = :id`,
      'update account set password_version = password_version + 1 where id = :id',
      'delete from sso_identity where account_id = :id',
    ]) {
      const email = someEmail();
      await sessionOf(email);
      const verifier = newVerifier();
      const { body } = await exchange(await codeFor(verifier, email), verifier).expect(409);
      await sso.sql(change, { id: (await sso.findAccount(email))?.id ?? '' });
      assert.equal((await exchange(body.TakeOverToken as string, verifier)).status, 400, change);
    }
  });

  it('returns to an app that takes tokens from the address with the reason', async () => {
    const email = someEmail();
    await sessionOf(email);
    assert.equal(await sso.accountOf('demo', personClaims(email)), 'session_exists');
    await showsSignIns(email, ['session_exists', 'Succeeded']);
  });
});
