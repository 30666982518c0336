import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSessionMacs } from './session-macs.ts';

const keyOf = (index: number): string => `s:life:{account}:${index}`;
const copyOf = (letter: string): string =>
  `1763712000 1763712000 ${'-'.repeat(22)}A 1 1 ${letter} - 1766304000 0`;

describe('the codes of cached sessions', () => {
  const [userSessions, adminSessions] = [randomBytes(32), randomBytes(32)];
  const core = createSessionMacs({ userSessions, adminSessions });
  const portal = createSessionMacs({ userSessions, adminSessions: undefined });

  it('distinguish genuine copies from others, also beyond the cache size', () => {
    const sealed = Array.from({ length: 25_000 }, (_, index) => core.seal(keyOf(index), 'User', copyOf('U')));
    for (let time = 0; time < 2; time += 1) {
      for (const [index, copy] of sealed.entries()) {
        assert.ok(core.isGenuine(keyOf(index), 'User', copy));
        if (index % 100 > 0) continue;
        assert.ok(!core.isGenuine(keyOf(index + 1), 'User', copy));
        assert.ok(!core.isGenuine(keyOf(index), 'User', copy.replace(' 1766304000 ', ' 1766304001 ')));
      }
    }
  });

  it('stay valid when a ping overwrites the times and the content', () => {
    const copy = core.seal(keyOf(1), 'User', copyOf('U'));
    assert.ok(core.isGenuine(keyOf(1), 'User', `1763719999 1763719999 ${'x'.repeat(22)}${copy.slice(44)}`));
    assert.ok(!core.isGenuine(keyOf(1), 'User', `${copy.slice(0, 44)}E${copy.slice(45)}`));
  });

  it('of users and guests are created and checked by every service, those of others not by Portal', () => {
    for (const role of ['User', 'Guest'] as const) {
      assert.ok(core.isGenuine(keyOf(1), role, portal.seal(keyOf(1), role, copyOf(role.charAt(0)))));
      assert.ok(portal.isGenuine(keyOf(2), role, core.seal(keyOf(2), role, copyOf(role.charAt(0)))));
    }
    for (const role of ['Admin', 'Service'] as const) {
      const copy = core.seal(keyOf(3), role, copyOf(role.charAt(0)));
      assert.ok(core.isGenuine(keyOf(3), role, copy));
      assert.ok(!portal.isGenuine(keyOf(3), role, copy));
      assert.ok(!core.isGenuine(keyOf(3), role, portal.seal(keyOf(3), role, copyOf(role.charAt(0)))));
      const asUser = portal.seal(keyOf(3), 'User', copyOf(role.charAt(0)));
      assert.ok(!core.isGenuine(keyOf(3), role, asUser));
      assert.deepEqual([core.vouchesFor(role), portal.vouchesFor(role)], [true, false]);
    }
  });
});
