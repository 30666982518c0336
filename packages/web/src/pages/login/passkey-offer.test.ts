import assert from 'node:assert/strict';
import { isDue } from './passkey-offer.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('the offer of a passkey', () => {
  const at = (kept: string | null) => () => ({ getItem: () => kept, setItem: () => undefined });

  it('is due at the first login, and thirty days after the last offer', () => {
    assert.equal(isDue(at(null), NOW), true);
    assert.equal(isDue(at(String(NOW - 30 * DAY_MS)), NOW), true);
  });

  it('is not due within thirty days', () => {
    for (const ago of [0, DAY_MS, 30 * DAY_MS - 1])
      assert.equal(isDue(at(String(NOW - ago)), NOW), false, String(ago));
  });

  it('is due if the stored time is invalid or in the future', () => {
    for (const kept of ['soon', String(NOW + DAY_MS)]) assert.equal(isDue(at(kept), NOW), true, kept);
  });

  it('is never due without storage, as it would appear every time', () => {
    const off = () => {
      throw new Error('access denied');
    };
    assert.equal(isDue(off, NOW), false);
  });
});
