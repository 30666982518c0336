import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readTable } from './markdown-table.ts';

const ROOT = new URL('../../../', import.meta.url);

describe('docs/attacks.md', () => {
  const rows = readTable('docs/attacks.md', 'attacks');

  it('names tests that exist, by their files and titles', () => {
    assert.ok(rows.length > 15, `${rows.length} attacks`);
    for (const [attack, , tests = ''] of rows) {
      for (const test of tests.split('<br>')) {
        const [path = '', title = ''] = test.split(/: (.*)/);
        const file = new URL(path, ROOT);
        assert.ok(existsSync(file), `${attack}: there is no ${path}`);
        assert.ok(
          title !== '' && titlesOf(readFileSync(file, 'utf8')).includes(title),
          `${path} has no “${title}”`,
        );
      }
    }
  });

  it('says of each attack what stops it', () => {
    for (const [attack, rule] of rows) assert.ok(attack && rule, attack);
  });
});

/** The titles of a file's tests, one on a line. */
function titlesOf(text: string): string {
  return [...text.matchAll(/\bit\(\s*(['"`])(.*?)\1,/g)].map((found) => found[2]).join('\n');
}
