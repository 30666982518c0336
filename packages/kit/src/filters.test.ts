import assert from 'node:assert/strict';
import type { ApiError } from '@gatehouse/http';
import { compile, Text, Type } from '@gatehouse/schema';
import { by, defineFilters, email, moment, named, reading, search } from './filters.ts';

describe('the filters of a list', () => {
  const filters = defineFilters(
    {
      isOnline: by(Type.Boolean(), 'Whether it is online'),
      userId: named('accountId', by(Text(36))),
      email: email(),
      createdTo: moment(),
      search: search(100, 'Part of the name'),
      even: reading(by(Type.Integer()), { message: 'must be even', code: 'malformed' }, (given) =>
        given % 2 === 0 ? given / 2 : undefined,
      ),
    },
    { title: 'Filter' },
  );
  const faultOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      // Filters throw no other errors.
      return (error as ApiError).facts?.errors?.map(({ pointer, code }) => [pointer, code]);
    }
    return undefined;
  };

  it('document the parameter, but not the field', () => {
    assert.equal(Object.entries(filters.query.isOnline).flat().includes('Whether it is online'), true);
    assert.equal(Object.entries(filters.body.properties.IsOnline).flat().includes('description'), false);
  });

  it('are the same values for both, under the names of the operation', () => {
    const createdTo = '2026-01-01T00:00:00Z';
    const values = {
      isOnline: false,
      accountId: 'x',
      emailKey: 'ann@x.example',
      createdTo: new Date(createdTo),
      search: 'abc',
      even: 2,
    };
    const given = { isOnline: false, userId: 'x', email: 'Ann@X.example', createdTo, search: 'abc', even: 4 };
    assert.deepEqual(filters.ofQuery({ ...given, limit: 50 }), values);
    const fields = { IsOnline: false, UserId: 'x', Email: 'Ann@X.example', CreatedTo: createdTo };
    assert.deepEqual(filters.ofBody({ ...fields, Search: ' abc ', Even: 4 }), values);
    assert.deepEqual(filters.ofQuery({ limit: 50, cursor: undefined }), {});
  });

  it('are all optional in a bulk change, which needs one of them and no others', () => {
    const check = compile(Type.Object({ Filter: filters.body }), { unknownFields: 'refuse' });
    assert.equal(check({ Filter: { IsOnline: true } }), undefined);
    for (const Filter of [{}, undefined, null, [], 'IsOnline', { isOnline: true }, { Ids: ['x'] }])
      assert.notEqual(check({ Filter }), undefined, JSON.stringify(Filter));
  });

  it('are refused at the place where the request has them', () => {
    const inQuery = faultOf(() => filters.ofQuery({ even: 3 }));
    assert.deepEqual(inQuery, [['/query/even', 'malformed']]);
    const inBody = faultOf(() => filters.ofBody({ Even: 3 }));
    assert.deepEqual(inBody, [['/Filter/Even', 'malformed']]);
    const leapSecond = { CreatedTo: '2016-12-31T23:59:60Z' };
    const inSecond = faultOf(() => filters.ofBody(leapSecond));
    assert.deepEqual(inSecond, [['/Filter/CreatedTo', 'not_a_date_time']]);
  });

  it('search for short texts only in lists', () => {
    assert.deepEqual(filters.ofQuery({ search: 'ab' }), { search: 'ab' });
    for (const Search of ['ab', ' ab ', '  ', '%'])
      assert.deepEqual(
        faultOf(() => filters.ofBody({ Search })),
        [['/Filter/Search', 'too_short']],
      );
  });
});
