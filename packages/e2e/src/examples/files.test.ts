import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const EXAMPLES = new URL('../../../../examples/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, EXAMPLES), 'utf8');

describe('the files of examples', () => {
  it('each have a README that is listed', () => {
    for (const entry of readdirSync(EXAMPLES, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      assert.ok(read('README.md').includes(`[${entry.name}](${entry.name})`), entry.name);
      assert.ok(read(`${entry.name}/README.md`).split('\n').length <= 16, entry.name);
    }
  });
});
