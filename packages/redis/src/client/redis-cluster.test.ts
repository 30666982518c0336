import assert from 'node:assert/strict';
import { slotOf } from './redis-cluster.ts';

describe('slotOf', () => {
  // The first is the check value of CRC-16/XMODEM, the others are results of CLUSTER KEYSLOT of Redis 7.0.
  for (const [tag, slot] of [
    ['123456789', 0x31c3],
    ['foo', 12_182],
    ['hello', 866],
    ['', 0],
    ['AZqlmh2udruI4bBvZ3-_Ww', 1856],
  ] as const) {
    it(`finds the slot of "${tag}"`, () => assert.equal(slotOf(tag), slot));
  }
});
