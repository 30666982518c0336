import assert from 'node:assert/strict';
import { groupsOf, isIncluded, toggled } from './event-groups.ts';

describe('the choice of event types', () => {
  it('groups them by subject', () => {
    const types = ['guest.invited', 'session.ended', 'guest.removed'];
    assert.deepEqual(groupsOf(types), [
      { subject: 'guest', types: ['guest.invited', 'guest.removed'] },
      { subject: 'session', types: ['session.ended'] },
    ]);
  });

  it('keeps a group or all instead of what they stand for', () => {
    const some = new Set(['guest.invited', 'session.ended']);
    const group = toggled(some, 'guest.*', true);
    assert.deepEqual([...group], ['session.ended', 'guest.*']);
    assert.equal(isIncluded(group, 'guest.invited'), true);
    assert.equal(isIncluded(group, 'guest.*'), false);
    const all = toggled(group, '*', true);
    assert.deepEqual([...all], ['*']);
    assert.equal(isIncluded(all, 'guest.*'), true);
    assert.equal(isIncluded(all, '*'), false);
    assert.deepEqual([...toggled(all, '*', false)], []);
  });
});
