import assert from 'node:assert/strict';
import { createClientAddress } from './request-facts.ts';

describe('createClientAddress', () => {
  const behindProxies = createClientAddress('10.0.0.0/8, 127.0.0.1, fd00::/8');

  it('trusts X-Forwarded-For only from trusted proxies', () => {
    assert.equal(behindProxies('203.0.113.9', '198.51.100.1'), '203.0.113.9');
    assert.equal(behindProxies('127.0.0.1', '198.51.100.1'), '198.51.100.1');
    assert.equal(behindProxies('::ffff:127.0.0.1', '198.51.100.1'), '198.51.100.1');
    assert.equal(behindProxies('fd00::1', '2001:DB8::1'), '2001:db8::1');
    assert.equal(createClientAddress('')('127.0.0.1', '198.51.100.1'), '127.0.0.1');
  });

  it('takes the right-most address that is not a trusted proxy', () => {
    assert.equal(behindProxies('127.0.0.1', '1.1.1.1, 198.51.100.1, 10.1.2.3'), '198.51.100.1');
    assert.equal(behindProxies('127.0.0.1', '10.1.2.3, 10.1.2.4'), '10.1.2.3');
  });

  it('reads addresses with a port, and in brackets', () => {
    assert.equal(behindProxies('127.0.0.1', '198.51.100.1:49152, 10.1.2.3:443'), '198.51.100.1');
    assert.equal(behindProxies('127.0.0.1', '[2001:DB8::1]:49152'), '2001:db8::1');
    assert.equal(behindProxies('127.0.0.1', '[2001:db8::1]'), '2001:db8::1');
    for (const odd of ['198.51.100.1:', '198.51.100.1:x', '198.51.100:80', '[198.51.100.1', '[]:80', ':80'])
      assert.equal(behindProxies('127.0.0.1', odd), '127.0.0.1', odd);
  });

  it('stops at the first entry that is not an address', () => {
    assert.equal(behindProxies('127.0.0.1', '198.51.100.1, spoofed'), '127.0.0.1');
    assert.equal(behindProxies('127.0.0.1', ''), '127.0.0.1');
    assert.equal(behindProxies('127.0.0.1', 'unknown, 10.0.0.7'), '10.0.0.7');
    assert.equal(behindProxies('127.0.0.1', ','.repeat(10_000)), '127.0.0.1');
    // Other spellings of 127.0.0.1, which some parsers accept.
    for (const spelling of ['2130706433', '0177.0.0.1', '0x7f.1'])
      assert.equal(behindProxies('10.0.0.7', `198.51.100.1, ${spelling}`), '10.0.0.7');
  });

  it('follows a chain of at most twenty proxies, however many are claimed', () => {
    const chain = (proxies: number) => `198.51.100.1${', 10.1.2.3'.repeat(proxies)}`;
    assert.equal(behindProxies('127.0.0.1', chain(19)), '198.51.100.1');
    assert.equal(behindProxies('127.0.0.1', chain(20)), '10.1.2.3');
    assert.equal(behindProxies('127.0.0.1', chain(1500)), '10.1.2.3');
  });

  it('refuses a list of proxies that cannot be read', () => {
    for (const list of ['loopback', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/-1'])
      assert.throws(() => createClientAddress(list), /TRUST_PROXY/, list);
  });
});
