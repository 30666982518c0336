import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf, violations, type Source } from './layers.ts';
import { crossing, CROSSINGS } from './slices.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Files that the build writes next to sources (`packages/build`). */
const BUILT = /^(built|openapi\/reference)\//;

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
  return ['packages', 'services'].flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, ROOT)).flatMap((name) => {
      const folder = new URL(`${kind}/${name}/src/`, ROOT);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.m?[jt]s$/.test(file) && !BUILT.test(file))
        .map((file) => ({
          path: `${kind}/${name}/src/${file.replaceAll('\\', '/')}`,
          text: readFileSync(new URL(file, folder), 'utf8'),
        }));
    }),
  );
}
