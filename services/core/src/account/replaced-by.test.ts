import assert from 'node:assert/strict';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { SessionStatus } from '@gatehouse/schema';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('information about a replaced session', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const logIn = async (email: string, device: { name?: string; userAgent?: string } = {}) => {
    const body = { Username: email, Password: PASSWORD, DeviceName: device.name };
    const answer = await core
      .post('/account/login', body, { 'user-agent': device.userAgent ?? '' })
      .expect(200);
    return answer.body as { Token: string; RefreshToken: string };
  };
  const ping = async (token: string) => (await core.post('/account/ping', {}, core.bearer(token))).body;
  const refusal = async (token: string) =>
    (await core.http.get('/ping/auth').set(core.bearer(token)).expect(401)).body;
  /** How often the replacement of a session is looked up during some work. */
  const lookups = async (work: () => Promise<unknown>): Promise<number> => {
    const seen: string[] = [];
    const listen = ({ sql }: { sql: string }) => seen.push(sql);
    core.app.service.db.on('query', listen);
    await work();
    core.app.service.db.removeListener('query', listen);
    return seen.filter((sql) => sql.includes('user_session newer')).length;
  };

  it('includes the newer login without its address: in pings, refusals and refreshes', async () => {
    const email = await core.newAccount();
    const first = await logIn(email);
    const second = await logIn(email, { name: 'Ann’s laptop', userAgent: FIREFOX });
    await logIn(email, { name: 'a third' });
    const { ReplacedBy: replacedBy, PingStatus } = await ping(first.Token);
    assert.equal(PingStatus, 4);
    assert.deepEqual(Object.keys(replacedBy), ['DeviceName', 'UserAgent', 'At']);
    assert.deepEqual([replacedBy.DeviceName, replacedBy.UserAgent], ['Ann’s laptop', FIREFOX]);
    assert.ok(Math.abs(Date.now() - Date.parse(replacedBy.At)) < 60_000, replacedBy.At);
    assert.deepEqual((await refusal(first.Token)).ReplacedBy, replacedBy);
    const { body } = await core
      .post('/account/refresh-token', { RefreshToken: first.RefreshToken })
      .expect(401);
    assert.deepEqual([body.code, body.ReplacedBy], ['session_replaced', replacedBy]);
    assert.deepEqual((await refusal(second.Token)).ReplacedBy.DeviceName, 'a third');
  });

  it('omits details that the newer login did not send', async () => {
    const email = await core.newAccount();
    const { Token } = await logIn(email, { name: 'old', userAgent: 'old' });
    await logIn(email);
    assert.deepEqual(Object.keys((await refusal(Token)).ReplacedBy), ['At']);
  });

  it('is absent if no login replaced it', async () => {
    const email = await core.newAccount();
    const ended = [
      { status: SessionStatus.SessionReplaced, reason: 'administrator' },
      { status: SessionStatus.Deactivated, reason: 'replaced' },
    ] as const;
    for (const end of ended) {
      const { Token } = await logIn(email);
      const change = { ...end, changedBy: undefined };
      const { app } = core;
      const [row] = await query<{ id: string }>(app.db, 'select id from account where email = ?', [email]);
      const ids = await inTransaction(app.db, NO_DEADLINE, (tx) =>
        endSessions(app, tx, { kind: 'account', accountId: row?.id ?? '' }, change, undefined),
      );
      await publishSessions(app, ids);
      assert.ok(!('ReplacedBy' in (await ping(Token))));
      assert.ok(!('ReplacedBy' in (await refusal(Token))));
    }
  });

  it('costs active sessions nothing, and a replaced one a single query', async () => {
    const email = await core.newAccount();
    const older = await logIn(email);
    const newer = await logIn(email);
    const often = async (work: () => Promise<unknown>) => {
      for (let time = 0; time < 3; time += 1) await work();
    };
    assert.equal(await lookups(() => often(() => ping(newer.Token))), 0);
    assert.equal(await lookups(() => often(() => ping(older.Token))), 1);
    assert.equal(await lookups(() => often(() => refusal(older.Token))), 0);
  });

  it('is omitted when Postgres does not respond, and sent later', async () => {
    const email = await core.newAccount();
    const { Token } = await logIn(email);
    await logIn(email, { name: 'newer' });
    await core.app.db.transaction(async (tx) => {
      await query(tx, 'lock table user_session in access exclusive mode');
      const begun = performance.now();
      assert.deepEqual([(await refusal(Token)).ReplacedBy], [undefined]);
      assert.equal((await ping(Token)).PingStatus, 4);
      assert.ok(performance.now() - begun < 1500);
    });
    assert.equal((await refusal(Token)).ReplacedBy.DeviceName, 'newer');
  });
});
