import assert from 'node:assert/strict';
import { bulkFilterOf, type Filter, queryOf } from './filters.ts';

describe('the filters of a list', () => {
  const filters: readonly Filter[] = [
    { name: 'role', label: 'accounts.role' },
    { name: 'loginStatus', label: 'accounts.condition', type: 'number' },
    { name: 'hasTwoFactor', label: 'accounts.twoFactor', type: 'boolean' },
    { name: 'createdFrom', label: 'accounts.createdFrom', type: 'datetime-local' },
  ];

  it('are none if the URL has none', () => {
    assert.equal(bulkFilterOf(filters, {}), undefined);
    assert.equal(bulkFilterOf(filters, { cursor: 'abc', role: '' }), undefined);
  });

  it('are the same for the list and for a bulk change', () => {
    const values = {
      role: 'User',
      loginStatus: '3',
      hasTwoFactor: 'false',
      createdFrom: '2026-01-02T03:04Z',
    };
    const createdFrom = '2026-01-02T03:04:00.000Z';
    assert.deepEqual(queryOf(filters, values), { ...values, createdFrom });
    assert.deepEqual(bulkFilterOf(filters, values), {
      Role: 'User',
      LoginStatus: 3,
      HasTwoFactor: false,
      CreatedFrom: createdFrom,
    });
  });

  it('do not turn invalid values into valid ones', () => {
    assert.deepEqual(bulkFilterOf(filters, { hasTwoFactor: 'maybe', createdFrom: 'soon' }), {
      HasTwoFactor: 'maybe',
      CreatedFrom: 'soon',
    });
  });
});
