import assert from 'node:assert/strict';
import { SessionStatus } from 'gatehouse-client';
import { isOfEnded } from './session-filter.ts';

describe('a filter of sessions', () => {
  it('is known to select ended sessions, or others', () => {
    assert.equal(isOfEnded({ Status: SessionStatus.Deactivated }), true);
    assert.equal(isOfEnded({ Status: SessionStatus.Normal }), false);
    assert.equal(isOfEnded({}), false);
  });
});
