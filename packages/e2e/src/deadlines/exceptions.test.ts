import assert from 'node:assert/strict';
import { sourcesIn } from '../documents/documents.ts';
import { OTHER_DEADLINES, PLAIN_WRITES } from './exceptions.ts';

const WRITES = /\b(insert\s+into|delete\s+from|update\s+(?:\w+|\$\{\w+\})(\s+as)?(\s+(?!set)\w+)?\s+set)\b/;
const FOLDERS = [
  ...['accounts', 'db', 'events', 'http', 'auth-core'].map((name) => `packages/${name}`),
  ...['core', 'portal', 'admin', 'mail-worker', 'tools'].map((name) => `services/${name}`),
];
const OTHER_DEADLINE = /(?<!const )\bNO_DEADLINE\b|\bwithinSeconds\(|\bdueAt: Infinity\b/;

describe('the deadlines of writes', () => {
  const sources = FOLDERS.flatMap((folder) => sourcesIn(`${folder}/src`));

  it('have every function that writes without a transaction in exceptions.ts, and no other', () => {
    const found = sources.flatMap(({ path, text }) => {
      const file = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
      return plainWriters(text).map((name) => `${file}.${name}`);
    });
    assert.deepEqual(found.toSorted(), Object.values(PLAIN_WRITES).flat().toSorted());
  });

  it('have every file there that has another deadline than a request, or none', () => {
    const found = sources.filter(({ text }) => OTHER_DEADLINE.test(withoutImports(text)));
    assert.deepEqual(pathsOf(found), Object.keys(OTHER_DEADLINES).toSorted());
  });

  it('cannot be bypassed: only packages/db and endpoints have writing statements, and only inTransaction begins transactions', () => {
    const elsewhere = sources.filter(({ path }) => !/^(packages\/db|services)\//.test(path));
    assert.deepEqual(pathsOf(elsewhere.filter(({ text }) => WRITES.test(text))), []);
    const beginners = pathsOf(sources.filter(({ text }) => /(?<!String)\.(transaction|raw)\(/.test(text)));
    assert.deepEqual(beginners, BEGINNERS);
  });
});

/** Files that begin transactions, or write migrations and privileges, for which no request waits. */
const BEGINNERS = [
  'packages/db/src/postgres/connect.ts',
  'packages/db/src/schema/grants.ts',
  'packages/db/src/schema/migrate.ts',
];

/** The functions in a file that write but whose first parameter is not a transaction. */
function plainWriters(text: string): string[] {
  const declarations = text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).map((declared) => ({
    name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(declared)?.[1] ?? '',
    isFunction: /^(?:export )?(?:(?:async )?function |const \w+ =[^`]*?\b(?:tx)?[sS]tatement\.)/.test(
      declared,
    ),
    takesTransaction: /^[^(]*\(\s*tx: (?:Write)?Transaction\b|^(?:export )?const [^`]*\btxStatement\./.test(
      declared,
    ),
    text: declared.replaceAll(/^[ \t]*(\/?\*|\/\/).*$/gm, ''),
  }));
  const constants = new Set<string>();
  const writes = (declared: string): boolean =>
    WRITES.test(declared) || [...constants].some((name) => new RegExp(`\\b${name}\\b`).test(declared));
  for (const { name, isFunction, text: declared } of declarations) {
    if (!isFunction && writes(declared)) constants.add(name);
  }
  return declarations
    .filter((one) => one.isFunction && !one.takesTransaction && writes(one.text))
    .map(({ name }) => name);
}

function withoutImports(text: string): string {
  return text.replaceAll(/^import [^;]*;$/gm, '');
}

function pathsOf(sources: { path: string }[]): string[] {
  return sources.map(({ path }) => path).toSorted();
}
