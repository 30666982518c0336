import assert from 'node:assert/strict';
import { Type, Uuid } from '@gatehouse/schema';
import type { ApiError } from '../errors.ts';
import { createPaging } from './paging.ts';

describe('createPaging', () => {
  const paging = createPaging(Type.Object({ Id: Uuid() }));
  const id = '01890000-0000-7000-8000-000000000000';
  const rows = [{ id: 'first' }, { id }, { id: 'one too many' }];
  const as = { key: (row: { id: string }) => ({ Id: row.id }), item: (row: { id: string }) => row.id };
  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('returns a cursor after the last item if there are more', () => {
    const { Items, NextCursor } = paging.page(rows, 2, as);
    assert.deepEqual(Items, ['first', id]);
    assert.match(NextCursor ?? '', /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(paging.read(NextCursor), { Id: id });
  });

  it('returns none on the last page', () => {
    assert.deepEqual(paging.page(rows, 3, as), { Items: ['first', id, 'one too many'] });
    assert.deepEqual(paging.page([], 3, as), { Items: [] });
    assert.equal(paging.read(undefined), undefined);
  });

  const invalid = [null, [], {}, { Id: 'x' }, { Id: id, At: 1 }].map(cursorOf);
  for (const cursor of ['', 'no cursor', '%00', ...invalid])
    it(`refuses ${JSON.stringify(cursor)}`, () =>
      assert.throws(
        () => paging.read(cursor),
        ({ code, facts }: ApiError) =>
          code === 'invalid_request' && facts.errors?.[0]?.pointer === '/query/cursor',
      ));
});
