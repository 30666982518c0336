import assert from 'node:assert/strict';
import { overruns, sizesOf } from './sizes.ts';

describe('the sizes of the repository', () => {
  it('are counted by part, by what files are for, and by routes', () => {
    const files = [
      { path: 'services/core/src/a.ts', text: '1\n2\n3\n4\n' },
      { path: 'services/core/src/a.test.ts', text: '1\n2\n' },
      { path: 'services/core/src/testing/b.ts', text: '1\n' },
      { path: 'packages/web/src/c.tsx', text: '1\n2\n' },
      { path: 'packages/web/src/pages/texts.ts', text: '1\n' },
      { path: 'packages/db/src/d.sql', text: '1\n' },
      { path: 'docs/e.md', text: 'Two  words\n' },
    ];
    assert.deepEqual(Object.fromEntries(sizesOf(files, 2)), {
      'services/core': 4,
      'packages/web': 2,
      product: 6,
      'tests and support': 3,
      'words of documents': 2,
      texts: 1,
      files: 7,
      'server lines a route': 2,
      'lines of packages/web a route': 1,
    });
  });

  for (const [what, sizes, budgets, found] of [
    ['accepts what fits', { a: 1000 }, { a: 1010 }, []],
    [
      'refuses what is too large',
      { a: 1011 },
      { a: 1010 },
      ['a: 1011, and the budget is 1010 (docs/architecture.md)'],
    ],
    ['refuses what has no budget', { a: 5 }, {}, ['a has no budget; it is 5']],
    ['refuses a budget that leaves room', { a: 900 }, { a: 1010 }, ['a: 900, so lower the budget of 1010']],
    ['refuses a budget of nothing', {}, { a: 30 }, ['a: 0, so lower the budget of 30']],
  ] as const)
    it(what, () =>
      assert.deepEqual(overruns(new Map(Object.entries(sizes)), new Map(Object.entries(budgets))), found),
    );
});
