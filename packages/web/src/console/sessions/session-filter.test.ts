import assert from 'node:assert/strict';
import { filterOf, isOfEnded, queryOf } from './session-filter.ts';

describe('the filter of sessions', () => {
  it('is empty if the URL has no filters', () => {
    assert.equal(filterOf({ cursor: 'abc', status: '' }), undefined);
  });

  it('is the same for the list and for a bulk change', () => {
    const values = {
      status: '4',
      isOnline: 'false',
      ipAddress: '192.0.2.0/24',
      createdTo: '2026-01-02T03:04Z',
    };
    assert.equal(queryOf(values).createdTo, '2026-01-02T03:04:00.000Z');
    const filter = filterOf(values);
    assert.deepEqual(filter, {
      Status: 4,
      IsOnline: false,
      IpAddress: '192.0.2.0/24',
      CreatedTo: '2026-01-02T03:04:00.000Z',
    });
    assert.equal(isOfEnded(filter ?? {}), true);
    assert.equal(isOfEnded({ Status: 1 }), false);
  });

  it('does not turn invalid values into valid ones', () => {
    assert.deepEqual(filterOf({ isOnline: 'maybe' }), { IsOnline: 'maybe' });
  });
});
