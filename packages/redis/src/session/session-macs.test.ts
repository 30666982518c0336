import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSessionMacs } from './session-macs.ts';

const keyOf = (index: number): string => `s:life:{account}:${index}`;
const COPY = `1763712000 1763712000 ${'-'.repeat(22)}A 1 1 U - 1766304000 0`;

describe('the codes of cached sessions', () => {
  const macs = createSessionMacs({ userSessions: randomBytes(32), adminSessions: undefined });

  it('distinguish genuine copies from others, also beyond the cache size', () => {
    const sealed = Array.from({ length: 25_000 }, (_, index) => macs.seal(keyOf(index), 'User', COPY));
    for (let time = 0; time < 2; time += 1) {
      for (const [index, copy] of sealed.entries()) {
        assert.ok(macs.isGenuine(keyOf(index), 'User', copy));
        if (index % 100 > 0) continue;
        assert.ok(!macs.isGenuine(keyOf(index + 1), 'User', copy));
        assert.ok(!macs.isGenuine(keyOf(index), 'User', copy.replace(' 1766304000 ', ' 1766304001 ')));
      }
    }
  });

  it('stay valid when a ping overwrites the times and the content', () => {
    const copy = macs.seal(keyOf(1), 'User', COPY);
    assert.ok(macs.isGenuine(keyOf(1), 'User', `1763719999 1763719999 ${'x'.repeat(22)}${copy.slice(44)}`));
    assert.ok(!macs.isGenuine(keyOf(1), 'User', `${copy.slice(0, 44)}E${copy.slice(45)}`));
  });
});
