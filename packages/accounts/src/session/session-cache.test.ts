import assert from 'node:assert/strict';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { inTransaction, query } from '@gatehouse/db';
import { during, endings, eventually, msOf, Proxy, testLog, testServers } from '@gatehouse/runtime/testing';
import { sweepLapsedSessions } from './lapsed-sessions.ts';
import { ping } from './presence.ts';
import { logout } from './logout.ts';
import { publishSessions } from './open-and-end.ts';
import { atOnce, BY_SYSTEM, logIn, newAccount, openTestAccounts } from '../testing/index.ts';
import type { AccountRef, TestAccounts } from '../testing/index.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

describe('the session cache under faults', () => {
  let app: TestAccounts;
  let toRedis: Proxy;
  before(async () => {
    toRedis = await Proxy.to(`${testServers().redisUrl}/7`);
    app = await openTestAccounts({ REDIS_URL: toRedis.url });
  });
  after(async () => {
    await app.stop();
    await toRedis.close();
  });
  const toPostgres = during(() => Proxy.to(app.settings.DATABASE_URL));
  beforeEach(async () => {
    await toRedis.heal();
    await eventually(() => app.sessionCache.isConnected());
  });

  const atEnd = endings();
  const open = async (account?: AccountRef) => {
    const { id } = account ?? (await newAccount(app));
    return { ...(await logIn(app, { id })), accountId: id };
  };
  const check = async (token: string, at = app) => {
    const found = await at.auth.authenticate(`Bearer ${token}`);
    return found.kind === 'refused' ? found.code : 'active';
  };
  const pingOf = (whose: { accountId: string; sessionId: string }, at = app) => {
    const { accountId, sessionId } = whose;
    const caller = { kind: 'session', accountId, sessionId, role: 'User', via: 'bearer' } as const;
    return ping(at, { ...caller, tokenId: 'a', tokenExpiresAt: 0 }, undefined);
  };
  const inRedis = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = connectRedis({ url: `${testServers().redisUrl}/7`, log: testLog() });
    await eventually(() => redis.status === 'ready');
    return work(redis).finally(() => redis.disconnect());
  };
  const flush = () => inRedis((redis) => redis.flushdb());

  it('neither ends nor revives sessions when Redis is flushed', async () => {
    const account = await newAccount(app);
    const older = await open(account);
    const newer = await open(account);
    await flush();
    assert.equal(await check(older.Token), 'session_replaced');
    assert.equal(await check(newer.Token), 'active');
    assert.deepEqual(await pingOf(newer), { kind: 'pinged', status: 1 });
  });

  it('answers from Postgres within half a second while Redis is frozen, and then at once', async () => {
    const session = await open();
    toRedis.blackHole();
    for (const msMax of [600, 200]) {
      const ms = await msOf(async () => assert.equal(await check(session.Token), 'active'));
      assert.ok(ms < msMax, `${ms} ms`);
    }
  });

  for (const [fault, begin] of [
    ['frozen', () => toRedis.blackHole()],
    ['gone', () => toRedis.reset()],
  ] as const)
    it(`does not revive sessions that ended while Redis was ${fault}`, async () => {
      const account = await newAccount(app);
      const session = await open(account);
      assert.deepEqual(await pingOf(session), { kind: 'pinged', status: 1 });
      begin();
      await logout(app, session, BY_SYSTEM.origin);
      assert.equal(await check(session.Token), 'session_ended');
      await toRedis.heal();
      await eventually(async () => {
        assert.equal(await check(session.Token), 'session_ended');
        return app.sessionCache.isConnected();
      });
      assert.equal(await check(session.Token), 'session_ended');
    });

  it('keeps one session for concurrent logins while Redis fails and returns', async () => {
    const account = await newAccount(app);
    const sessions = await atOnce(12, async (index) => {
      if (index === 4) toRedis.reset();
      if (index === 8) await toRedis.heal();
      return open(account);
    });
    const states = await Promise.all(sessions.map(({ Token }) => check(Token)));
    assert.equal(states.filter((state) => state === 'active').length, 1);
  });

  it('knows sessions that another process ended while this one could not reach Redis', async () => {
    const cutOff = await openTestAccounts({ REDIS_URL: 'redis://127.0.0.1:9' }, app);
    atEnd(() => cutOff.stop());
    const session = await open();
    assert.equal(await check(session.Token), 'active');
    await logout(cutOff, session, BY_SYSTEM.origin);
    await eventually(async () => (await check(session.Token)) === 'session_ended', 1);
  });

  it('completes the cache update of a process that died after its commit', async () => {
    const session = await open();
    // What `logout` commits, without publishing it to the cache.
    await inTransaction(app.db, NO_DEADLINE, async (tx) => {
      const sql = `update user_session set status = 4, ended_at = now(), end_reason = 'test', version = version + 1
         where id = ?`;
      await query(tx, sql, [session.sessionId]);
      await query(tx, 'insert into live_session_outbox (session_id) values (?)', [session.sessionId]);
    });
    await eventually(async () => (await check(session.Token)) === 'session_deactivated', 1);
  });

  it('refuses a token whose account is not the session’s', async () => {
    const [mine, yours] = [await open(), await open()];
    await flush();
    assert.equal(await app.sessionCache.read(yours.accountId, mine.sessionId), undefined);
  });

  it('serves live sessions from Redis while Postgres is gone, and is unavailable when both are', async () => {
    const session = await open();
    const through = await openTestAccounts({ DATABASE_URL: toPostgres.url }, app);
    atEnd(async () => {
      await toPostgres.heal();
      await through.stop();
    });
    await eventually(() => through.sessionCache.isConnected());
    toPostgres.reset();
    assert.equal(await check(session.Token, through), 'active');
    assert.deepEqual(await pingOf(session, through), { kind: 'pinged', status: 1 });
    await flush();
    await assert.rejects(async () => check(session.Token, through), { name: 'Unavailable' });
    await toPostgres.heal();
    await eventually(async () => (await check(session.Token, through)) === 'active');
  });

  it('does not end a session whose pings are not in Postgres yet', async () => {
    const session = await open();
    const sql = "update user_session set last_seen_at = now() - interval '3 hours' where id = ?";
    await query(app.db, sql, [session.sessionId]);
    await sweepLapsedSessions(app);
    assert.equal(await check(session.Token), 'active');
  });

  it('keeps a cached session under 400 bytes of Redis memory', async () => {
    const session = await open();
    await publishSessions(app, [session.sessionId]);
    const sizes = await inRedis(async (redis) =>
      Promise.all((await redis.keys('s:*{*')).map((key) => redis.memory('USAGE', key))),
    );
    assert.ok(sizes.length > 0);
    for (const size of sizes) assert.ok((size ?? 0) < 400, `${size} bytes`);
  });
});
