import assert from 'node:assert/strict';
import { switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { cast, type Session } from '../testing/cast.ts';
import { someAddress } from '../testing/index.ts';

type Field = 'Id' | 'At' | 'Method' | 'Provider' | 'Result' | 'Reason' | 'IpAddress' | 'UserAgent';
type SignIn = Record<Field, string>;

describe('GET /account/sign-in', () => {
  const { core, member, someone, memberWithSession } = cast({ LOGIN_FAILURES_FREE: 50 });

  const listed = async (session: Session): Promise<SignIn[]> =>
    (await session.get('/account/sign-in').expect(200)).body.Items;
  /** Waits for a number of rows of the account, which are written after the answer. */
  const rowsOf = async (session: Session, count: number): Promise<SignIn[]> => {
    await eventually(async () => (await listed(session)).length >= count);
    return listed(session);
  };
  const outcomes = (rows: readonly SignIn[]) => fieldsOf(rows, 'Result', 'Reason');

  it('shows who signed in when, how and from where, and who was refused', async () => {
    const address = someAddress();
    const ann = (await member()).from(address);
    const begunAt = Date.now();
    await ann.logsIn('not the password').expect(404);
    const { body } = await ann.logsIn().set('user-agent', 'Test/1').expect(200);
    const bearer = core().bearer(String(body.Token));
    const [opened = assert.fail(), refused = assert.fail(), ...more] = await eventually(async () => {
      const { Items } = (await core().http.get('/account/sign-in').set(bearer).expect(200)).body;
      return Items.length >= 2 && (Items as SignIn[]);
    });
    assert.equal(more.length, 0);
    const { Id, At, ...shown } = opened;
    assert.match(Id, /^[0-9a-f-]{36}$/);
    assert.ok(Date.parse(At) >= begunAt - 1000 && Date.parse(At) <= Date.now() + 1000, At);
    const facts = { Method: 'Password', Provider: null, IpAddress: address, UserAgent: 'Test/1' };
    assert.deepEqual(shown, { ...facts, Result: 'Succeeded', Reason: null });
    assert.deepEqual([refused.Reason, refused.IpAddress], ['password', address]);
  });

  it('shows that somebody has the password, but not the second factor', async () => {
    const [ann, session] = await memberWithSession();
    await switchOnTwoFactor(core().app, await ann.id());
    const { TwoFactorToken } = (await ann.logsIn().expect(200)).body;
    await ann.post('/account/login', { TwoFactorToken, TwoFactorCode: '000000' }).expect(404);
    assert.deepEqual(outcomes(await rowsOf(session, 3)), [
      ['Refused', 'second-factor'],
      ['SecondFactorAsked', null],
      ['Succeeded', null],
    ]);
  });

  it('shows at most ten, and none of another account', async () => {
    const [ann, bob] = [await member(), await member()];
    for (let count = 0; count < 12; count += 1) await ann.logsIn('wrong').expect(404);
    const [session, other] = [await ann.session(), await bob.session()];
    await eventually(async () => (await listed(session))[0]?.Result === 'Succeeded');
    assert.equal((await listed(session)).length, 10);
    assert.deepEqual(outcomes(await rowsOf(other, 1)), [['Succeeded', null]]);
  });

  type Row = Record<'account_id' | 'reason' | 'count', unknown>;
  const rowsFrom = (address: string) => {
    const sql =
      'select account_id, reason, count from sign_in where ip_address = cast(? as inet) order by id';
    return core().sql<Row>(sql, [address]);
  };

  it('never has a name that was typed and belongs to nobody', async () => {
    const address = someAddress();
    const typed = 'my-password-in-the-wrong-field';
    for (const name of [typed, 'nobody.of.this.name@example.com'])
      await someone(name).from(address).logsIn('wrong').expect(404);
    await eventually(async () => (await rowsFrom(address)).length === 2);
    const row = { account_id: null, reason: 'password', count: 1 };
    assert.deepEqual(await rowsFrom(address), [row, row]);
    const rows = await core().sql<{ text: string }>('select sign_in::text as text from sign_in');
    const text = rows.map((each) => each.text).join('\n');
    assert.ok(!text.includes(typed) && !text.includes('nobody.of') && !text.includes('@'));
  });

  it('does not make a login fail or wait if it cannot be written', async () => {
    const ann = await member();
    const { app } = core();
    await app.db.raw('alter table sign_in rename to sign_in_elsewhere');
    try {
      await ann.session();
      await ann.logsIn('wrong').expect(404);
      await eventually(() => app.lines.some(({ message }) => message === 'sign-ins were not recorded'));
    } finally {
      await app.db.raw('alter table sign_in_elsewhere rename to sign_in');
    }
    const address = someAddress();
    await ann.from(address).logsIn('wrong').expect(404);
    await eventually(async () => (await rowsFrom(address)).length === 1);
  });
});
