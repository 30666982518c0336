import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { testAuthority } from '@gatehouse/runtime/testing';
import { connectDb } from '../connect.ts';

describe('settings of TLS to Postgres', () => {
  const authority = testAuthority();

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
