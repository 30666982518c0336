import assert from 'node:assert/strict';
import { addressGroup, addressRanges, countedFor } from './addresses.ts';

describe('addressGroup', () => {
  const groups: [string, string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ];
  for (const [address, group] of groups)
    it(`counts ${address} as ${group}`, () => assert.equal(addressGroup(address), group));

  it('has limits of its own, and IPv6 three times as much for each /48', () => {
    assert.deepEqual(countedFor('2001:db8:1:2::/64', 5), [
      { whose: '2001:db8:1:2::/64', max: 5 },
      { whose: '2001:db8:1::/48', max: 15 },
    ]);
    for (const whose of ['203.0.113.9', '', '01930000-0000-7000-8000-000000000000'])
      assert.deepEqual(countedFor(whose, 5), [{ whose, max: 5 }]);
  });
});

describe('addressRanges', () => {
  it('reads addresses and ranges of both families, with or without spaces', () => {
    assert.deepEqual(addressRanges('LIST', '10.0.0.0/8, 192.0.2.7,2001:db8::/32 ,::1'), [
      { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '192.0.2.7', prefix: 32, family: 'ipv4' },
      { address: '2001:db8::', prefix: 32, family: 'ipv6' },
      { address: '::1', prefix: 128, family: 'ipv6' },
    ]);
    assert.deepEqual(addressRanges('LIST', ' , '), []);
  });

  it('names the setting and the invalid entry', () => {
    for (const entry of ['10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/0x8', 'fe80::1%eth0', '10.0.0.1; deny all'])
      assert.throws(() => addressRanges('LIST', `::1,${entry}`), { message: new RegExp(`^LIST: "`) }, entry);
  });
});
