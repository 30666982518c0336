import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { changeInBulk, unproven, UNPROVEN_MAX, type BulkOrder } from './bulk-change.ts';
import { openTestAccounts, type TestAccounts } from './testing/index.ts';

const ORDER: BulkOrder = {
  actor: { kind: 'System' },
  origin: { traceId: 'test', dueAt: Infinity },
  isTrial: false,
  isUnproven: false,
};

describe('a bulk change', () => {
  let app: TestAccounts;
  before(async () => {
    app = await openTestAccounts({ SINGLE_SESSION: false });
    await app.relay.stop();
  });
  after(() => app.stop());

  it('is not carried out if it is refused, in a dry run neither', async () => {
    const carriedOut: string[] = [];
    const change = {
      plan: () => Promise.resolve({ kind: 'planned' as const }),
      carryOut: () => Promise.resolve(carriedOut.push('done')),
    };
    const unknown = { ...change, plan: () => Promise.resolve({ kind: 'unknown' as const }) };
    for (const isTrial of [false, true])
      assert.deepEqual(await changeInBulk(app, { ...ORDER, isTrial }, unknown), { kind: 'unknown' });
    // What lacks a fresh proof can be tried out.
    const refused = { ...change, refuse: () => ({ kind: 'unproven' as const }) };
    assert.deepEqual(await changeInBulk(app, ORDER, refused), { kind: 'unproven' });
    assert.deepEqual(await changeInBulk(app, { ...ORDER, isTrial: true }, refused), { kind: 'planned' });
    assert.deepEqual(carriedOut, []);
  });

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
