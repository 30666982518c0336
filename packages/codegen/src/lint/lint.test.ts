import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT as ROOT_URL } from '../write-generated.ts';

const ROOT = fileURLToPath(ROOT_URL);

/** The rules that `npm run check` reports for a file with this text. */
async function faultsOf(text: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-lint-'));
  const file = join(folder, 'linted.ts');
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

describe('the lint rule for growing lists', function () {
  this.timeout(30_000);
  const rule = 'gatehouse-copies(no-growing-copies)';
  /** How often the rule reports something in a function with this body. */
  const faults = async (body: string): Promise<number> => {
    const head = 'export function grown(items: string[], lists: string[][], old: string[]): unknown {';
    return (await faultsOf(`${head}\n${body}\n}\n`)).filter((found) => found === rule).length;
  };

  for (const [what, body] of [
    ['a copy with one more item in a loop', 'for (const item of items) old = [...old, item];\nreturn old;'],
    [
      'a longer copy of the values of a name in a loop',
      'const named: Record<string, string[]> = {};\nfor (const item of items) named[item] = [...(named[item] ?? []), item];\nreturn named;',
    ],
    [
      'concat in a loop',
      'for (let at = 0; at < items.length; at += 1) old = old.concat(items);\nreturn old;',
    ],
    ['flat in a loop', 'while (old.length < 9) old = [old, items].flat();\nreturn old;'],
    ['a copy for each item in reduce', 'return items.reduce<string[]>((all, item) => [...all, item], []);'],
    ['concat in reduce', 'return lists.reduce((all, list) => all.concat(list), old);'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      assert.equal(await faults(body), 1);
    });
  }

  it('accepts lists that grow by push, and copies that are made once', async () => {
    const body =
      'for (const list of [...lists, items].flat()) old.push(list);\n' +
      'const all = lists.reduce((sum, { length }) => sum + length, [...old, "x"].length);\n' +
      'return [all, ...old, ...lists.flat()];';
    assert.equal(await faults(body), 0);
  });
});
