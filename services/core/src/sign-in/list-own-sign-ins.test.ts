import assert from 'node:assert/strict';
import { switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { during, PASSWORD, someAddress, startCore } from '../testing/index.ts';

const PATH = '/account/sign-in';

interface SignIn {
  Id: string;
  At: string;
  Method: string | null;
  Provider: string | null;
  Result: string;
  Reason: string | null;
  IpAddress: string | null;
  UserAgent: string | null;
}

describe('GET /account/sign-in', () => {
  const core = during(() => startCore({ LOGIN_FAILURES_FREE: 50 }));

  const attempt = (email: string, given: object, address = someAddress()) =>
    core.post(
      '/account/login',
      { Username: email, Password: PASSWORD, ...given },
      { 'x-forwarded-for': address, 'user-agent': 'Test/1' },
    );
  const listOf = async (token: string): Promise<SignIn[]> =>
    (await core.http.get(PATH).set(core.bearer(token)).expect(200)).body.Items;
  /** Waits for a number of rows of the account, which are written after the answer. */
  const rowsOf = async (token: string, count: number): Promise<SignIn[]> => {
    await eventually(async () => (await listOf(token)).length >= count);
    return listOf(token);
  };
  const outcomes = (rows: readonly SignIn[]) => rows.map(({ Result, Reason }) => [Result, Reason]);

  it('shows who signed in when, how and from where, and who was refused', async () => {
    const email = await core.newAccount();
    const address = someAddress();
    const begunAt = Date.now();
    await attempt(email, { Password: 'not the password' }, address).expect(404);
    const { body } = await attempt(email, {}, address).expect(200);
    const [opened, refused, ...more] = await rowsOf(body.Token, 2);
    assert.ok(opened && refused);
    assert.equal(more.length, 0);
    const { Id, At, ...shown } = opened;
    assert.match(Id, /^[0-9a-f-]{36}$/);
    assert.ok(Date.parse(At) >= begunAt - 1000 && Date.parse(At) <= Date.now() + 1000, At);
    const facts = { Method: 'Password', Provider: null, IpAddress: address, UserAgent: 'Test/1' };
    assert.deepEqual(shown, { ...facts, Result: 'Succeeded', Reason: null });
    assert.equal(refused.Reason, 'password');
    assert.equal(refused.IpAddress, address);
  });

  it('shows that somebody has the password, but not the second factor', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    const [owner] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [
      email,
    ]);
    await switchOnTwoFactor(core.app, owner?.id ?? '');
    const { body: asked } = await attempt(email, {}).expect(200);
    await core
      .post('/account/login', { TwoFactorToken: asked.TwoFactorToken, TwoFactorCode: '000000' })
      .expect(404);
    assert.deepEqual(outcomes(await rowsOf(Token, 3)), [
      ['Refused', 'second-factor'],
      ['SecondFactorAsked', null],
      ['Succeeded', null],
    ]);
  });

  it('shows at most ten, and none of another account', async () => {
    const [email, other] = [await core.newAccount(), await core.newAccount()];
    for (let count = 0; count < 12; count += 1) await attempt(email, { Password: 'wrong' }).expect(404);
    const { Token } = await core.login(email);
    const { Token: otherToken } = await core.login(other);
    await eventually(async () => (await listOf(Token))[0]?.Result === 'Succeeded');
    assert.equal((await listOf(Token)).length, 10);
    assert.deepEqual(outcomes(await rowsOf(otherToken, 1)), [['Succeeded', null]]);
  });
});

describe('the record of sign-ins', () => {
  const core = during(() => startCore({ LOGIN_FAILURES_FREE: 50 }));

  interface Row {
    account_id: string | null;
    reason: string | null;
    count: number;
  }
  const rowsFrom = (address: string) =>
    query<Row>(
      core.app.db,
      'select account_id, reason, count from sign_in where ip_address = cast(? as inet) order by id',
      [address],
    );
  const attempt = (name: string, address: string, password = 'wrong') =>
    core.post('/account/login', { Username: name, Password: password }, { 'x-forwarded-for': address });

  it('never has a name that was typed and belongs to nobody', async () => {
    const address = someAddress();
    const typed = 'my-password-in-the-wrong-field';
    await attempt(typed, address).expect(404);
    await attempt('nobody.of.this.name@example.com', address).expect(404);
    await eventually(async () => (await rowsFrom(address)).length === 2);
    assert.deepEqual(await rowsFrom(address), [
      { account_id: null, reason: 'password', count: 1 },
      { account_id: null, reason: 'password', count: 1 },
    ]);
    const rows = await query<{ text: string }>(core.app.db, 'select sign_in::text as text from sign_in');
    const text = rows.map((row) => row.text).join('\n');
    assert.ok(!text.includes(typed) && !text.includes('nobody.of') && !text.includes('@'));
  });

  it('does not make a login fail or wait if it cannot be written', async () => {
    const email = await core.newAccount();
    await core.app.db.raw('alter table sign_in rename to sign_in_elsewhere');
    try {
      await core.login(email);
      await attempt(email, someAddress()).expect(404);
      await eventually(() => core.app.lines.some(({ message }) => message === 'sign-ins were not recorded'));
    } finally {
      await core.app.db.raw('alter table sign_in_elsewhere rename to sign_in');
    }
    const address = someAddress();
    await attempt(email, address).expect(404);
    await eventually(async () => (await rowsFrom(address)).length === 1);
  });
});
