import assert from 'node:assert/strict';
import { ConfigError, Unavailable } from '@gatehouse/runtime';
import { testAuthority, testServers, openTlsProxy, type TlsProxy } from '@gatehouse/runtime/testing';
import { connectDb, query } from '../connect.ts';

describe('TLS to Postgres', () => {
  const authority = testAuthority();
  const proxies: TlsProxy[] = [];
  const startProxy = async (options: { name?: string; refuses?: boolean } = {}): Promise<TlsProxy> => {
    const { name = 'localhost', refuses = false } = options;
    const { TEST_POSTGRES_URL } = testServers();
    const proxy = await openTlsProxy(TEST_POSTGRES_URL, authority.issue(name), { asksFirst: true, refuses });
    proxies.push(proxy);
    return proxy;
  };
  after(() => Promise.all(proxies.map((one) => one.close())));

  const askThrough = async (at: TlsProxy, how: { mode?: string; ca: string | undefined }) => {
    const url = new URL(testServers().TEST_POSTGRES_URL);
    url.host = `localhost:${at.port}`;
    url.searchParams.set('sslmode', how.mode ?? 'verify-full');
    const db = connectDb({ url: url.href, ca: how.ca, applicationName: 'tls', poolMax: 1 });
    try {
      return await query<{ name: string }>(db, 'select current_user as name');
    } finally {
      await db.destroy();
    }
  };

  it('trusts only the configured certificate authority', async () => {
    const at = await startProxy();
    await assert.rejects(askThrough(at, { ca: testAuthority().pem }), Unavailable);
    await assert.rejects(askThrough(at, { ca: undefined }), Unavailable);
    // Not even the user name was sent.
    assert.equal(at.heard(), '');
    assert.equal((await askThrough(at, { ca: authority.pem })).length, 1);
  });

  it('does not continue without TLS when the server refuses it', async () => {
    const stripped = await startProxy({ refuses: true });
    await assert.rejects(askThrough(stripped, { ca: authority.pem }), Unavailable);
    assert.equal(stripped.heard(), '');
  });

  for (const mode of ['verify-full', 'verify-ca', 'require']) {
    it(`checks the host name (sslmode=${mode})`, async () => {
      const elsewhere = await startProxy({ name: 'elsewhere.example' });
      await assert.rejects(askThrough(elsewhere, { mode, ca: authority.pem }), Unavailable);
      assert.equal(elsewhere.heard(), '');
    });
  }

  it('refuses settings at startup that make TLS optional or disable verification', () => {
    for (const search of [
      'sslmode=prefer',
      'sslmode=allow',
      'sslmode=no-verify',
      'sslmode=',
      'sslmode=verify-full&sslmode=no-verify',
      'ssl=no-verify',
      'sslmode=require&uselibpqcompat=true',
      'sslmode=verify-full&sslrootcert=/etc/ca.pem',
    ]) {
      assert.throws(() => open(`postgres://u:hush@localhost/x?${search}`), refusedWithoutPassword, search);
    }
  });

  it('refuses an unused or invalid certificate authority at startup', () => {
    assert.throws(() => open('postgres://u:hush@localhost/x', authority.pem), refusedWithoutPassword);
    const tls = 'postgres://u:hush@localhost/x?sslmode=verify-full';
    for (const ca of ['none', authority.pem.replace(/[A-Z]{3}/g, '!!!'), authority.pem.slice(0, 200)]) {
      assert.throws(() => open(tls, ca), refusedWithoutPassword);
    }
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
