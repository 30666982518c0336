import assert from 'node:assert/strict';
import { readTable } from '@gatehouse/codegen';
import { audit } from '@gatehouse/db';

describe('docs/audit.md', () => {
  const rows = readTable('docs/audit.md', 'audit');

  it('lists every action of the audit, and no other', () => {
    const actions = rows.map(([action = '']) => action);
    assert.deepEqual(actions.toSorted(), audit.AUDIT_ACTIONS.toSorted());
  });

  it('names the target of every action', () => {
    const kinds: readonly string[] = audit.AUDIT_TARGET_KINDS;
    for (const [action, kind = ''] of rows) assert.ok(kinds.includes(kind), `${action}: ${kind}`);
  });
});
