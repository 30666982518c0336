import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { filesIn, readPage, roomsIn } from './documents/documents.ts';
import { importsOf, violations, type Source } from './layers.ts';
import { crossing, CROSSINGS } from './slices.ts';

/** Files that the build writes next to sources (`packages/build`). */
const BUILT = /\/src\/(built|openapi\/reference)\//;

describe('packages and services', () => {
  const sources = readSources();

  it('keep the rules of imports and files', () => {
    assert.deepEqual(violations(sources), []);
  });

  it('have no crossing of slices that nothing uses', () => {
    const used = sources.flatMap(({ path, text }) =>
      importsOf(text).flatMap(
        (specifier) => crossing(path, posix.join(posix.dirname(path), specifier)) ?? [],
      ),
    );
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(CROSSINGS).toSorted());
  });

  it('are not empty', () => {
    const imported = new Set(sources.flatMap(({ text }) => importsOf(text)));
    assert.ok(sources.length > 150, `${sources.length} files`);
    for (const specifier of [
      '@gatehouse/schema',
      '@gatehouse/http/testing',
      'express',
      './layers.ts',
      'knex',
    ])
      assert.ok(imported.has(specifier), specifier);
  });
});

function readSources(): Source[] {
  return [...roomsIn('packages'), ...roomsIn('services')]
    .flatMap((room) => filesIn(`${room}/src`))
    .filter((path) => /\.m?[jt]s$/.test(path) && !BUILT.test(path))
    .map((path) => ({ path, text: readPage(path) }));
}
