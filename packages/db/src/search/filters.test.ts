import assert from 'node:assert/strict';
import { conditionsOf, contains, either, ordered, sieve, since, until, type Filters } from './filters.ts';

interface Filter {
  role?: string | undefined;
  isOnline?: boolean | undefined;
  search?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  error?: string | undefined;
}

const FILTERS: Filters<Filter> = {
  role: ordered('role = :role'),
  isOnline: either({ ordered: ['is_online'] }, { sieve: ['not is_online'] }),
  search: contains('name'),
  from: since('created_at'),
  to: until('created_at'),
  error: sieve('error = :error'),
};

describe('the conditions of filters', () => {
  it('are those of the given filters, in the order of the declaration', () => {
    const { bindings, ...conditions } = conditionsOf(FILTERS, { error: 'x', role: 'Admin', isOnline: true });
    assert.deepEqual(conditions, {
      ordered: ['role = :role', 'is_online'],
      sieve: ['error = :error'],
      isSearchIndexed: false,
    });
    assert.deepEqual([bindings['role'], bindings['error']], ['Admin', 'x']);
    assert.deepEqual(conditionsOf(FILTERS, { role: undefined }), {
      ...{ ordered: [], sieve: [], bindings: {}, isSearchIndexed: false },
    });
    assert.deepEqual(conditionsOf(FILTERS, { isOnline: false }).sieve, ['not is_online']);
  });

  it('limit the ids to about the time, because ids contain it', () => {
    const moment = new Date('2026-01-01T00:00:00Z');
    const { ordered: ids, sieve: times, bindings } = conditionsOf(FILTERS, { from: moment, to: moment });
    assert.deepEqual(ids, ['id >= cast(:fromId as uuid)', 'id < cast(:toId as uuid)']);
    assert.deepEqual(times, ['created_at >= :from', 'created_at < :to']);
    assert.deepEqual([bindings['from'], bindings['to']], [moment, moment]);
    assert.ok(String(bindings['fromId']) < String(bindings['toId']));
  });

  it('search with the index if it has the text', () => {
    assert.deepEqual(conditionsOf(FILTERS, { search: 'a%b' }).bindings, { part: String.raw`a\%b` });
    assert.equal(conditionsOf(FILTERS, { search: 'ann' }).isSearchIndexed, true);
    assert.equal(conditionsOf(FILTERS, { search: '-/-' }).isSearchIndexed, false);
  });
});
