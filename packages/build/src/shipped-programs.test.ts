import assert from 'node:assert/strict';
import { bundle, stopCompiler } from './bundle.ts';
import { ROOT, SHIPPED_PROGRAMS } from './programs.ts';

const { core, portal, admin, 'mail-worker': mailWorker, 'hook-worker': hookWorker } = SHIPPED_PROGRAMS;
const PROGRAMS = { core, portal, admin, 'mail-worker': mailWorker, 'hook-worker': hookWorker };

const ADMINISTRATION =
  /^packages\/(web\/src\/console|accounts\/src\/(account\/admin\/(change|create)|import\/))/;

describe('what a program carries', () => {
  const sources = new Map<string, string[]>();
  let maps: string[];

  before(async () => {
    const { outputs, files } = await bundle(ROOT, PROGRAMS);
    maps = files.filter(({ path }) => path.endsWith('.mjs.map')).map(({ contents }) => String(contents));
    for (const name of Object.keys(PROGRAMS)) {
      const inputs = Object.entries(outputs[`dist/${name}.mjs`]?.inputs ?? {});
      sources.set(
        name,
        inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
      );
    }
  });
  after(stopCompiler);

  const found = (name: string, path: RegExp): string[] =>
    (sources.get(name) ?? []).filter((source) => path.test(source));

  for (const name of Object.keys(PROGRAMS))
    it(`of ${name} is no other service's code`, () => {
      assert.deepEqual(found(name, new RegExp(`^services/(?!${name}/)`)), []);
      assert.notDeepEqual(found(name, new RegExp(`^services/${name}/`)), []);
    });

  it('is no source map of packages', () => {
    assert.ok(maps.length >= Object.keys(PROGRAMS).length);
    for (const map of maps) assert.ok(!map.includes('node_modules'));
  });

  for (const name of ['core', 'portal', 'mail-worker', 'hook-worker'])
    it(`of ${name} is nothing of the console, and nothing that administers accounts`, () =>
      assert.deepEqual(found(name, ADMINISTRATION), []));
});
