import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);

describe('docs/attacks.md', () => {
  const attacks = readAttacks();

  it('names tests that exist, by their files and titles', () => {
    assert.ok(attacks.length > 15, `${attacks.length} attacks`);
    for (const { attack, tests } of attacks) {
      assert.ok(tests.length > 0, `${attack}: no test`);
      for (const { path, title } of tests) {
        const file = new URL(path, ROOT);
        assert.ok(existsSync(file), `${attack}: there is no ${path}`);
        assert.ok(
          title !== '' && titlesOf(readFileSync(file, 'utf8')).includes(title),
          `${path} has no “${title}”`,
        );
      }
    }
  });

  it('says what stops each attack', () => {
    for (const { attack, rule } of attacks) assert.ok(rule, attack);
  });
});

/** The sections between `<!-- attacks -->` and `<!-- /attacks -->`: a heading, the rule, and a list of tests. */
function readAttacks() {
  const text = readFileSync(new URL('docs/attacks.md', ROOT), 'utf8');
  const [, list = ''] = text.split(/<!-- \/?attacks -->/);
  return list
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const [attack = '', ...lines] = unwrap(section).split('\n').filter(Boolean);
      const tests = lines
        .filter((line) => line.startsWith('- '))
        .map((line) => {
          const [path = '', title = ''] = line
            .slice(2)
            .replaceAll('`', '')
            .split(/: (.*)/);
          return { path, title };
        });
      return { attack, rule: lines.filter((line) => !line.startsWith('- ')).join(' '), tests };
    });
}

/** A text whose list items are each on one line. */
function unwrap(text: string): string {
  return text.replaceAll(/\n {2}(?=\S)/g, ' ');
}

/** The titles of a file's tests, one per line. */
function titlesOf(text: string): string {
  return [...text.matchAll(/\bit\(\s*(['"`])(.*?)\1,/g)].map((found) => found[2]).join('\n');
}
