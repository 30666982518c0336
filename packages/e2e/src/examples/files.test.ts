import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const EXAMPLES = new URL('../../../../examples/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, EXAMPLES), 'utf8');

describe('the files of examples', () => {
  it('in Python match the sample in the documentation, which is tested', () => {
    const page = readFileSync(new URL('../docs/protect-your-api.md', EXAMPLES), 'utf8');
    assert.ok(page.includes(`\`\`\`python\n${read('python/server.py')}\`\`\``));
  });

  it('each have a README that is listed', () => {
    for (const entry of readdirSync(EXAMPLES, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      assert.ok(read('README.md').includes(`[${entry.name}](${entry.name})`), entry.name);
      assert.ok(read(`${entry.name}/README.md`).split('\n').length <= 16, entry.name);
    }
  });
});
