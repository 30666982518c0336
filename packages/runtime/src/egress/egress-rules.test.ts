import assert from 'node:assert/strict';
import { ConfigError } from '../settings/config.ts';
import { createEgressRules } from './egress-rules.ts';

const rules = createEgressRules('');

/** Spellings of hosts that are this machine, its networks, or no part of the Internet. */
const INSIDE = `
  127.0.0.1 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7f.1 2130706433 0x7f000001 017700000001 127.255.255.254
  127.0.0.1. 0 0.0.0.0 0x0 00 1 0.0.0.1 10.0.0.1 10.255.255.255 167772161 012.0.0.1 0xa.1 172.16.0.1
  172.31.255.254 0xac100001 192.168.0.1 192.168.1 3232235521 0300.0250.0.1 100.64.0.1 100.127.255.254
  100.100.100.200 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.0.1 168.63.129.16
  192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 4294967295 １２７.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 [::]
  [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1]
  [::ffff:8.8.8.8] [0:0:0:0:0:ffff:169.254.169.254] [::ffff:0:10.0.0.1] [64:ff9b::10.0.0.1]
  [64:ff9b::8.8.8.8] [64:ff9b:1::1] [2002:7f00:1::] [2002:a00:1::1] [2001::1] [2001:0:7f00:1::]
  [2001:db8::1] [3fff::1] [fe80::1] [febf::1] [fec0::1] [fc00::1] [fd00::1] [fd00:ec2::254] [ff02::1]
  [ff0e::1] [100::1] [5f00::1] localhost LOCALHOST localhost. app.localhost postgres rabbitmq`;

describe('a URL that somebody else chose', () => {
  for (const url of INSIDE.trim().split(/\s+/))
    it(`is not called inside: ${url}`, () => {
      const fault = url === 'localhost.' ? undefined : 'address_not_allowed';
      assert.equal(rules.faultOf(`https://${url}/hook`), fault);
      const host = new URL(`https://${url}/hook`);
      const address = host.hostname.replaceAll(/[[\]]/g, '');
      assert.deepEqual(rules.allowedOf(host, [address]), []);
    });

  const OUTSIDE = '8.8.8.8 100.63.255.255 172.32.0.1 192.0.1.1 [2606:4700::1111] [2a00::1]';
  for (const address of OUTSIDE.split(' '))
    it(`is called on the Internet: ${address}`, () =>
      assert.equal(rules.faultOf(`https://${address}/hook`), undefined));

  for (const [url, fault] of [
    ['hooks.example.com', 'not_a_url'],
    ['', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://1.2.3.400/', 'not_a_url'],
    ['https://hooks.example.com:0/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['http://hooks.example.com/', 'not_https'],
    ['http://8.8.8.8/', 'not_https'],
    ['ftp://hooks.example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://ann@hooks.example.com/', 'has_credentials'],
    ['https://:secret@hooks.example.com/', 'has_credentials'],
    ['http://127.0.0.1/', 'address_not_allowed'],
    ['http://localhost/', 'address_not_allowed'],
  ] as const)
    it(`is refused as ${fault}: ${url}`, () => assert.equal(rules.faultOf(url), fault));

  it('has only those of its addresses that are on the Internet', () => {
    const url = new URL('https://hooks.example.com');
    const odd = ['fe80::1%eth0', '2606:4700::1%eth0', 'nonsense'];
    const found = ['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111', ...odd];
    assert.deepEqual(rules.allowedOf(url, found), ['8.8.8.8', '2606:4700::1111']);
  });
});

describe('WEBHOOK_NETWORKS', () => {
  const inner = createEgressRules('hooks.internal, Receiver, 10.1.0.0/16, ::1, 127.0.0.1');

  it('allows inner names whatever their address, and inner addresses', () => {
    assert.equal(inner.faultOf('https://receiver:8443/'), undefined);
    assert.deepEqual(inner.allowedOf(new URL('https://hooks.internal'), ['10.9.9.9']), ['10.9.9.9']);
    const other = new URL('https://other.internal');
    assert.deepEqual(inner.allowedOf(other, ['10.9.9.9', '10.1.2.3']), ['10.1.2.3']);
    assert.equal(inner.faultOf('https://10.1.2.3/'), undefined);
    assert.equal(inner.faultOf('https://10.2.0.1/'), 'address_not_allowed');
  });

  it('allows http only to loopback addresses', () => {
    assert.equal(inner.faultOf('http://127.0.0.1:3000/'), undefined);
    assert.equal(inner.faultOf('http://[::1]:3000/'), undefined);
    assert.equal(inner.faultOf('http://127.0.0.2/'), 'address_not_allowed');
    assert.equal(inner.faultOf('http://hooks.internal/'), 'not_https');
    assert.deepEqual(inner.allowedOf(new URL('http://localhost'), ['127.0.0.1', '10.1.2.3']), ['127.0.0.1']);
  });

  for (const list of ['10.0.0.0/33', 'a b', '*.internal', 'hooks.internal/24', '10.0.0.300'])
    it(`refuses ${list}`, () => assert.throws(() => createEgressRules(list), ConfigError));
});
