import assert from 'node:assert/strict';
import { addressRanges } from './address-ranges.ts';

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
    for (const entry of [
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::1/129',
      '10.0.0.0/0x8',
      'fe80::1%eth0',
      '10.0.0.1 10.0.0.2',
      '10.0.0.1; deny all',
    ]) {
      assert.throws(() => addressRanges('LIST', `::1,${entry}`), { message: new RegExp(`^LIST: "`) }, entry);
    }
  });
});
