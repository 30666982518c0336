import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { personClaims, startSso, type TestSso } from '../testing/browser.ts';

describe('single sign-on with SESSION_SLOTS and SESSION_LIMIT=refuse', function () {
  this.timeout(20_000);
  let sso: TestSso;
  before(async () => {
    sso = await startSso(
      { demo: { provisioning: 'jit' } },
      { SESSION_SLOTS: 'web:1,mobile:1', SESSION_LIMIT: 'refuse' },
    );
  });
  after(() => sso.stop());

  const newVerifier = (): string => randomBytes(32).toString('base64url');
  const signOn = async (verifier: string, email: string, more = '') => {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    sso.recognise('demo', personClaims(email));
    const { parameters } = await sso.browser().signOn('demo', `?codeChallenge=${challenge}${more}`);
    return parameters['code'] ?? '';
  };
  const exchange = (code: string, codeVerifier: string) =>
    sso.admin.post('/api/auth/demo/exchange', undefined, { code, codeVerifier });
  const standing = async (token: string) => {
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${token}`);
    return caller.kind === 'refused' ? caller.code : 'active';
  };
  const sessionOf = async (email: string, more = ''): Promise<string> => {
    const verifier = newVerifier();
    const { body } = await exchange(await signOn(verifier, email, more), verifier).expect(200);
    return body.token as string;
  };

  /** Waits for the account's sign-ins, which are written after the answer: the reason, or the result. */
  const showsSignIns = async (email: string, expected: readonly string[]) => {
    const token = await sso.admin.newToken({ role: 'Admin' });
    const [account] = await query<{ id: string }>(
      sso.admin.app.db,
      'select id from account where email = ?',
      [email],
    );
    const read = async () => {
      const { body } = await sso.admin.get(`/admin/sign-in?userId=${account?.id}`, token).expect(200);
      const items = body.Items as { Result: string; Reason: string | null }[];
      return items.map(({ Result, Reason }) => Reason ?? Result);
    };
    await eventually(async () => (await read()).length === expected.length);
    assert.deepEqual(await read(), expected);
  };

  it('opens sessions of different tags side by side', async () => {
    const email = someEmail();
    const tokens = [await sessionOf(email), await sessionOf(email, '&sessionTag=mobile')];
    assert.deepEqual(await Promise.all(tokens.map(standing)), ['active', 'active']);
  });

  it('refuses an unknown tag, and one for the console', async () => {
    for (const [more, code] of [
      ['?sessionTag=fridge', 'unknown_value'],
      [`?console=true&state=${newVerifier()}&sessionTag=web`, 'does_not_go_with'],
    ] as const) {
      const { status, body } = await sso.admin.get(`/auth/demo/login${more}`);
      assert.deepEqual(
        [status, body.errors[0].pointer, body.errors[0].code],
        [400, '/query/sessionTag', code],
      );
    }
  });

  it('refuses an exchange while the slot is taken, and takes the token like a code, once, for the same app', async () => {
    const email = someEmail();
    const first = await sessionOf(email);
    const verifier = newVerifier();
    const code = await signOn(verifier, email);
    const { status, body } = await exchange(code, verifier);
    assert.deepEqual([status, body.code, body.Active.length], [409, 'session_exists', 1]);
    assert.equal(await standing(first), 'active');
    const token = body.TakeOverToken as string;
    // The code is used up: only the token takes the session over.
    assert.equal((await exchange(code, verifier)).status, 400);
    assert.equal((await exchange(token, newVerifier())).status, 400);
    const { body: tokens } = await exchange(token, verifier).expect(200);
    assert.deepEqual(
      [await standing(first), await standing(tokens.token as string)],
      ['session_replaced', 'active'],
    );
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
      const { body } = await exchange(await signOn(verifier, email), verifier).expect(409);
      const [account] = await query<{ id: string }>(
        sso.admin.app.db,
        'select id from account where email = ?',
        [email],
      );
      await query(sso.admin.app.db, change, { id: account?.id ?? '' });
      assert.equal((await exchange(body.TakeOverToken as string, verifier)).status, 400, change);
    }
  });

  it('returns to an app that takes tokens from the address with the reason', async () => {
    const email = someEmail();
    await sessionOf(email);
    sso.recognise('demo', personClaims(email));
    const { parameters } = await sso.browser().signOn('demo', '');
    assert.deepEqual(parameters, { error: 'session_exists' });
    await showsSignIns(email, ['session_exists', 'Succeeded']);
  });
});
