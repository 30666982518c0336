import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logout } from '@gatehouse/accounts';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { freePorts, provide, quiet } from '@gatehouse/dev';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { openSome, origin } from './cluster-session.ts';

describe('a Redis that starts again with an old snapshot', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  let start: () => ChildProcess;
  let server: ChildProcess;
  let redis: Redis;
  let app: TestAccounts;
  before(async () => {
    const [{ redis: port }, { redis: binary }] = await Promise.all([freePorts(), provide(quiet)]);
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    start = () => spawn(binary, args, { stdio: 'ignore' });
    server = start();
    const url = `redis://127.0.0.1:${port}`;
    redis = connectRedis({ url, log: testLog() });
    app = await openTestAccounts({ REDIS_URL: url });
    await eventually(() => app.sessionCache.isConnected());
  });
  after(async () => {
    await app?.stop();
    redis?.disconnect();
    await killed();
    rmSync(folder, { recursive: true, force: true });
  });

  const killed = async (): Promise<void> => {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  const check = async (token: string) => {
    const found = await app.auth.authenticate(`Bearer ${token}`);
    return found.kind === 'refused' ? found.code : 'active';
  };

  it('revives no session that has ended since', async () => {
    const session = await openSome(app);
    assert.equal(await check(session.Token), 'active');
    await redis.save();
    await logout(app, session, origin);
    // Nothing is left to be written again, which a recovery would do.
    await eventually(
      async () => (await query(app.db, 'select 1 from live_session_outbox limit 1')).length === 0,
    );
    await killed();
    await eventually(() => !app.sessionCache.isConnected());
    server = start();
    await eventually(() => app.sessionCache.isConnected());
    assert.ok((await redis.keys('s:*')).length > 0, 'the snapshot has its copy');
    assert.equal(await check(session.Token), 'session_ended');
  });
});
