import assert from 'node:assert/strict';
import { addressGroup, countedFor } from './address-group.ts';

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
  for (const [address, group] of groups) {
    it(`counts ${address} as ${group}`, () => assert.equal(addressGroup(address), group));
  }

  it('has limits of its own, and IPv6 three times as much for each /48', () => {
    assert.deepEqual(countedFor('2001:db8:1:2::/64', 5), [
      { whose: '2001:db8:1:2::/64', max: 5 },
      { whose: '2001:db8:1::/48', max: 15 },
    ]);
    for (const whose of ['203.0.113.9', '', '01930000-0000-7000-8000-000000000000'])
      assert.deepEqual(countedFor(whose, 5), [{ whose, max: 5 }]);
  });
});
