import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { unproven, UNPROVEN_MAX } from './bulk-change.ts';

describe('a bulk change', () => {
  it('requires a fresh proof of identity if it is large or sensitive', () => {
    const refused = { kind: 'unproven' };
    const actor = { kind: 'Account', id: newId() } as const;
    assert.deepEqual(unproven({ isUnproven: true, actor }, UNPROVEN_MAX), undefined);
    assert.deepEqual(unproven({ isUnproven: true, actor }, UNPROVEN_MAX + 1), refused);
    assert.deepEqual(unproven({ isUnproven: true, actor }, 1, true), refused);
    assert.deepEqual(unproven({ isUnproven: false, actor }, UNPROVEN_MAX + 1, true), undefined);
    const token = { kind: 'ApiToken', id: newId() } as const;
    assert.deepEqual(unproven({ isUnproven: true, actor: token }, UNPROVEN_MAX + 1), undefined);
    assert.deepEqual(unproven({ isUnproven: true, actor: token }, 1, true), refused);
  });
});
