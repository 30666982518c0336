import assert from 'node:assert/strict';
import { filterOf, queryOf } from './account-filter.ts';

describe('the filter of accounts', () => {
  it('is empty if the URL has no filters', () => {
    assert.equal(filterOf({}), undefined);
    assert.equal(filterOf({ cursor: 'abc', search: '' }), undefined);
  });

  it('is the same for the list and for a bulk change', () => {
    const values = {
      role: 'User',
      loginStatus: '3',
      hasTwoFactor: 'false',
      createdFrom: '2026-01-02T03:04:05.000Z',
    };
    assert.equal(queryOf(values).createdFrom, values.createdFrom);
    assert.deepEqual(filterOf(values), {
      Role: 'User',
      LoginStatus: 3,
      HasTwoFactor: false,
      CreatedFrom: values.createdFrom,
    });
  });

  it('does not turn invalid values into valid ones', () => {
    assert.deepEqual(filterOf({ isThrottled: 'maybe' }), { IsThrottled: 'maybe' });
    assert.deepEqual(filterOf({ lastLoginBefore: 'soon' }), { LastLoginBefore: 'soon' });
  });
});
