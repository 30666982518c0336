import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundle, stopCompiler } from './bundle.ts';

const FILES: Record<string, string> = {
  'main.ts': `import { fromPackage } from 'one';
import { fail } from './fail.ts';

interface Unused {
  nothing: string;
}

console.log(fromPackage(fail));
const list = [1, 2].map((n) => n + 1).join(); console.log(
  list,
);
`,
  'fail.ts': `type Never = never;

export function fail(): Never {
  throw new Error('from our own source');
}
`,
  'node_modules/one/package.json':
    '{ "name": "one", "version": "1.0.0", "type": "module", "main": "one.js" }',
  'node_modules/one/one.js': `export function fromPackage(call) {
  return call() ?? 'from a package';
}
`,
};

describe('the source map of a bundle', function () {
  this.timeout(20_000);
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-source-map-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  after(async () => {
    await stopCompiler();
    rmSync(root, { recursive: true });
  });

  it('leads to our own lines, and nowhere for lines of packages', async () => {
    const { files } = await bundle(root, { one: 'main.ts' });
    const textOf = (ending: string) =>
      String(asText(files.find(({ path }) => path.endsWith(ending))?.contents));
    const map = new SourceMap(JSON.parse(textOf('.mjs.map')) as SourceMapPayload); // written by the build
    const lines = textOf('.mjs').split('\n');
    const placeOf = (text: string) => {
      const line = lines.findIndex((one) => one.includes(text));
      assert.ok(line >= 0, text);
      const found = map.findEntry(line, lines[line]?.indexOf(text) ?? 0);
      return 'originalSource' in found && found.originalSource !== undefined
        ? [found.originalSource.replace(/^.*\//, ''), found.originalLine + 1]
        : undefined;
    };
    assert.deepEqual(placeOf('throw new Error'), ['fail.ts', 4]);
    assert.deepEqual(placeOf('console.log(from'), ['main.ts', 8]);
    assert.deepEqual(placeOf('.join()'), ['main.ts', 9]);
    assert.equal(placeOf('return call()'), undefined);
    assert.doesNotMatch(textOf('.mjs.map'), /node_modules/);
    // One for each line with code.
    const { mappings } = JSON.parse(textOf('.mjs.map')) as SourceMapPayload;
    assert.equal(mappings.split(/[;,]+/).filter(Boolean).length, 7);
  });
});

function asText(contents: string | Uint8Array | undefined): string | undefined {
  return contents instanceof Uint8Array ? new TextDecoder().decode(contents) : contents;
}
