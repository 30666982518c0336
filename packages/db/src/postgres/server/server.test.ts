import assert from 'node:assert/strict';
import { duringEach, endings, Proxy, testServers, testAuthority } from '@gatehouse/runtime/testing';
import { ConfigError, Unavailable } from '@gatehouse/runtime';
import { TIMELINE, wasCommitted } from '../transaction/commit.ts';
import { connectDb, query, type Db } from '../connect.ts';
import { readPostgresUrl } from './postgres-url.ts';

describe('DATABASE_URL with several servers', () => {
  const atEnd = endings();
  const proxy = duringEach(() => Proxy.to(testServers().postgresUrl));

  const through = (...hosts: string[]): Db => {
    const url = new URL(testServers().postgresUrl);
    const several = url.href.replace(url.host, hosts.join(','));
    const db = connectDb({ url: several, applicationName: 'primary', poolMax: 2 });
    atEnd(() => db.destroy());
    return db;
  };
  const real = new URL(testServers().postgresUrl).host;

  it('tries the next server if the first is down or does not answer', async () => {
    assert.deepEqual(await query(through('127.0.0.1:1', real), 'select 1 as found'), [{ found: 1 }]);
    proxy.blackHole();
    const begun = performance.now();
    const frozen = new URL(proxy.url).host;
    assert.deepEqual(await query(through(frozen, real), 'select 1 as found'), [{ found: 1 }]);
    assert.ok(performance.now() - begun < 1400, `${performance.now() - begun} ms`);
  });

  it('is unavailable if no server answers', () =>
    assert.rejects(query(through('127.0.0.1:1', '127.0.0.1:2'), 'select 1'), Unavailable));

  it('keeps login, database and parameters for each, and refuses what would go to a standby', () => {
    const url = 'postgres://u:p%40@one,two:5433/db?target_session_attrs=read-write&sslmode=verify-full';
    const { servers, ssl } = readPostgresUrl(url, undefined);
    assert.deepEqual(servers, ['postgres://u:p%40@one/db', 'postgres://u:p%40@two:5433/db']);
    assert.notEqual(ssl, false);
    for (const path of ['one,two/db?target_session_attrs=any', 'one,two:port/db', 'one,/db'])
      assert.throws(() => readPostgresUrl(`postgres://u:p@${path}`, undefined), ConfigError);
  });

  it('does not trust a transaction id from another timeline', async () => {
    const db = through(real);
    const sql = `select pg_current_xact_id()::text as id, ${TIMELINE} as timeline`;
    const [begun] = await query<{ id: string; timeline: string }>(db, sql);
    assert.ok(begun);
    const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    assert.equal(await wasCommitted(db, begun, lost), true);
    assert.equal(await wasCommitted(db, { ...begun, timeline: undefined }, lost), true);
    assert.equal(await wasCommitted(db, { ...begun, timeline: '000000FF' }, lost), false);
  });
});

describe('settings of TLS to Postgres', () => {
  const authority = testAuthority();

  it('refuses settings at startup that make TLS optional or disable verification', () => {
    for (const search of [
      'sslmode=prefer',
      'sslmode=no-verify',
      'sslmode=verify-full&sslmode=no-verify',
      'ssl=no-verify',
      'sslmode=verify-full&sslrootcert=/etc/ca.pem',
    ])
      assert.throws(() => open(`postgres://u:hush@localhost/x?${search}`), refusedWithoutPassword, search);
  });

  it('refuses an unused or invalid certificate authority at startup', () => {
    assert.throws(() => open('postgres://u:hush@localhost/x', authority.pem), refusedWithoutPassword);
    const tls = 'postgres://u:hush@localhost/x?sslmode=verify-full';
    for (const ca of ['none', authority.pem.replace(/[A-Z]{3}/g, '!!!'), authority.pem.slice(0, 200)])
      assert.throws(() => open(tls, ca), refusedWithoutPassword);
  });
});

function open(url: string, ca?: string): void {
  connectDb({ url, ca, applicationName: 'tls', poolMax: 1 });
}

function refusedWithoutPassword(error: unknown): boolean {
  assert.ok(error instanceof ConfigError);
  assert.match(error.message, /DATABASE_(URL|CA)/);
  assert.doesNotMatch(error.message, /hush/);
  return true;
}
