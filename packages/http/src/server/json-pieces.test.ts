import assert from 'node:assert/strict';
import { partsOf, piecesOf } from './downloads.ts';

const read = async (document: unknown): Promise<string> =>
  Buffer.concat(await piecesOf(document)).toString('utf8');

describe('documents in pieces', () => {
  for (const document of [
    {},
    { At: new Date(0), Text: 'é"\n', Left: undefined, None: null },
    { Empty: [], Rows: [{ Id: 1, At: new Date(0) }, { Id: '😀' }], After: true },
    { Nested: { Rows: [1, 2] } },
    [1, 2],
  ])
    it(`are what JSON.stringify writes: ${JSON.stringify(document)}`, async () =>
      assert.equal(await read(document), JSON.stringify(document)));

  it('are strings as they are, however long', async () => {
    const text = `${'é😀\n'.repeat(50_000)}x`;
    assert.equal(await read(text), text);
  });

  it('are the same in parts, with some rows at a time', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => index);
    const document = { At: 'now', Long: rows(1200), Short: rows(3), Empty: [] };
    const parts = [...partsOf(document)] as (typeof document)[]; // which has these fields
    const lengths = parts.map(({ Long, Short }) => [Long.length, Short.length]);
    assert.deepEqual(lengths, [
      [500, 3],
      [500, 0],
      [200, 0],
    ]);
    const long = parts.flatMap(({ Long }) => Long);
    assert.deepEqual(long, document.Long);
    const times = parts.map(({ At }) => At);
    assert.deepEqual(times, ['now', 'now', 'now']);
    assert.deepEqual([[...partsOf({})], [...partsOf('text')]], [[{}], ['text']]);
  });

  it('let others work while a long one is written', async () => {
    const at = new Date();
    const row = (Id: number) => ({ Id, At: at, Text: 'x'.repeat(100) });
    const rows = Array.from({ length: 150_000 }, (_, index) => row(index));
    const document = { First: rows, Second: rows };
    let turns = 0;
    let isDone = false;
    const takeTurn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const pieces = await piecesOf(document);
    isDone = true;
    assert.ok(turns > 10, `${turns} turns`);
    assert.ok(pieces.every(({ length }) => length < 100_000));
  });
});
