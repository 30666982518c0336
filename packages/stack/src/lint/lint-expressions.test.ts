import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../processes/node-process.ts';

/** The rules that `npm run check` reports for a file with this text. */
async function faultsOf(text: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-lint-'));
  const file = join(folder, 'expressions.ts');
  try {
    await writeFile(file, text);
    const args = ['-c', join(ROOT, '.oxlintrc.json'), '--deny-warnings', '-f', 'unix', file];
    const output = await new Promise<string>((resolve) => {
      execFile(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: ROOT }, (_, stdout) => resolve(stdout));
    });
    return [...output.matchAll(/\[Error\/([a-z-]+\([a-z-]+\))\]/g)].map(([, rule = '']) => rule);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the lint rule for regular expressions', function () {
  this.timeout(30_000);
  const backtracking = 'regexp(no-super-linear-backtracking)';
  const duplicates = 'regexp(no-dupe-disjunctions)';
  const move = 'regexp(no-super-linear-move)';
  const unreadable = 'gatehouse(readable-expressions)';

  for (const [what, text, faults] of [
    [
      'two neighbouring repeats',
      String.raw`export const KIND = /^application\/json\s*(?:;\s*)?\s*$/i;`,
      backtracking,
    ],
    ['a repeat in a repeat', "export const MANY = new RegExp('^(a+)+$');", backtracking],
    ['alternatives that are alike', String.raw`export const ONE = RegExp('^(?:a|a)*$', 'u');`, duplicates],
    ['a search that starts over at every character', String.raw`export const END = /\s+$/;`, move],
    [
      'a pattern that a schema keeps as text',
      "export const Name = { type: 'string', pattern: '^a*$' };",
      unreadable,
    ],
    ['an expression of parts', 'export const of = (part: string) => new RegExp(`^${part}$`);', unreadable],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const found = await faultsOf(`${text}\n`);
      assert.ok(found.length > 0, text);
      for (const fault of found) assert.equal(fault, faults, text);
    });
  }

  it('accepts linear expressions, also as the pattern of a schema', async () => {
    const text = String.raw`export const Name = { pattern: /^[a-z]{1,8}(?:-[a-z]{1,8})*$/.source, other: new RegExp('^a+$') };`;
    assert.deepEqual(await faultsOf(`${text}\n`), []);
  });
});
