import assert from 'node:assert/strict';
import { readItems } from '@gatehouse/codegen';
import { audit } from '@gatehouse/db';

describe('docs/audit.md', () => {
  const items = readItems('docs/audit.md', 'audit');

  it('lists every action of the audit, and no other', () => {
    const actions = items.map(([action]) => action);
    assert.deepEqual(actions.toSorted(), audit.AUDIT_ACTIONS.toSorted());
  });

  it('names the target of every action', () => {
    const kinds: readonly string[] = audit.AUDIT_TARGET_KINDS;
    for (const [action, [kind = '']] of items) assert.ok(kinds.includes(kind), `${action}: ${kind}`);
  });
});
