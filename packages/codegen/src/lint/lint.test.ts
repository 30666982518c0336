import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFolder } from '@gatehouse/runtime/testing';
import { ROOT as ROOT_URL } from '../write-generated.ts';

const ROOT = fileURLToPath(ROOT_URL);
const BACKTRACKING = 'regexp(no-super-linear-backtracking)';
const UNREADABLE = 'gatehouse(readable-expressions)';
const GROWING = 'gatehouse-copies(no-growing-copies)';

const grown = (body: string): string =>
  `export function grown(items: string[], lists: string[][], old: string[]): unknown {\n${body}\n}`;

const REFUSED: [what: string, text: string, rule: string][] = [
  [
    'two neighbouring repeats',
    String.raw`export const KIND = /^application\/json\s*(?:;\s*)?\s*$/i;`,
    BACKTRACKING,
  ],
  ['a repeat in a repeat', "export const MANY = new RegExp('^(a+)+$');", BACKTRACKING],
  [
    'alternatives that are alike',
    String.raw`export const ONE = RegExp('^(?:a|a)*$', 'u');`,
    'regexp(no-dupe-disjunctions)',
  ],
  [
    'a search that starts over at every character',
    String.raw`export const END = /\s+$/;`,
    'regexp(no-super-linear-move)',
  ],
  [
    'a pattern that a schema keeps as text',
    "export const Name = { type: 'string', pattern: '^a*$' };",
    UNREADABLE,
  ],
  ['an expression of parts', 'export const of = (part: string) => new RegExp(`^${part}$`);', UNREADABLE],
  ...[
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
  ].map(([what = '', body = '']): [string, string, string] => [what, grown(body), GROWING]),
];
const ACCEPTED: [what: string, text: string][] = [
  [
    'linear expressions, also as the pattern of a schema',
    String.raw`export const Name = { pattern: /^[a-z]{1,8}(?:-[a-z]{1,8})*$/.source, other: new RegExp('^a+$') };`,
  ],
  [
    'lists that grow by push, and copies that are made once',
    grown(`for (const list of [...lists, items].flat()) old.push(list);
const all = lists.reduce((sum, { length }) => sum + length, [...old, "x"].length);
return [all, ...old, ...lists.flat()];`),
  ],
];

describe('the lint rules', () => {
  const folder = testFolder();
  /** The rules that `npm run check` reports for each text, by the subject of the text. */
  const faults = new Map([...REFUSED, ...ACCEPTED].map(([what]) => [what, [] as string[]]));
  before(() => {
    const texts = [...REFUSED, ...ACCEPTED];
    for (const [at, [, text]] of texts.entries()) writeFileSync(join(folder, `${at}.ts`), `${text}\n`);
    const args = ['-c', join(ROOT, '.oxlintrc.json'), '--deny-warnings', '-f', 'unix', folder];
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(oxlint, args, { cwd: ROOT, encoding: 'utf8' });
    for (const [, at = '', rule = ''] of stdout.matchAll(/\/(\d+)\.ts:.*\[Error\/([a-z-]+\([a-z-]+\))\]/g))
      faults.get(texts[Number(at)]?.[0] ?? '')?.push(rule);
  });

  for (const [what, , rule] of REFUSED)
    it(`refuse ${what}`, () => {
      const found = faults.get(what)?.filter((one) => rule !== GROWING || one === GROWING);
      assert.deepEqual(new Set(found), new Set([rule]));
      if (rule === GROWING) assert.equal(found?.length, 1);
    });

  for (const [what, text] of ACCEPTED)
    it(`accept ${what}`, () => {
      const found = faults.get(what)?.filter((one) => !text.includes('grown') || one === GROWING);
      assert.deepEqual(found, []);
    });
});
