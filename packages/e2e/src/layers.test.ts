import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf, violations, type Source } from './layers.ts';
import { crossing, CROSSINGS } from './slices.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Files that the build writes next to sources (`packages/build`). */
const BUILT = /^(built|openapi\/reference)\//;

describe('packages and services', () => {
  const sources = readSources();

  it('keep the rules of imports and files', () => {
    assert.deepEqual(violations(sources), []);
  });

  it('have no crossing of slices that nothing uses', () => {
    const used = sources.flatMap(({ path, text }) =>
      importsOf(text).flatMap(
        (specifier) => crossing(path, posix.join(posix.dirname(path), specifier)) ?? [],
      ),
    );
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(CROSSINGS).toSorted());
  });

  it('are not empty', () => {
    const imported = new Set(sources.flatMap(({ text }) => importsOf(text)));
    assert.ok(sources.length > 150, `${sources.length} files`);
    for (const specifier of [
      '@gatehouse/schema',
      '@gatehouse/http/testing',
      'express',
      './layers.ts',
      'knex',
    ]) {
      assert.ok(imported.has(specifier), specifier);
    }
  });
});

describe('importsOf', () => {
  it('reads every way to import, and nothing that only looks like one', () => {
    const text = `
import 'a';
import b, { type B } from "b";
import type {
  C,
} from 'c';
import * as d from 'd';
export { e } from 'e';
export * as f from 'f';
export type { G } from 'g';
const h = await import('h');
let i: import('i').I;
export const j = 'j', k = "k";
  // import 'l';
const text = \`
  import m from 'm';\`;
`;
    assert.deepEqual(importsOf(text).join(''), 'abcdefghi');
  });
});

describe('violations', () => {
  // The checker also reads this file, so the forbidden texts are split into two parts.
  const [environment, dynamic, from, member] = [['process', 'env'].join('.'), 'import', 'from', 'export'];

  for (const [path, text, rule] of [
    ['packages/intake/src/a.ts', `import { Email } from '@gatehouse/schema';`, 'none of ours'],
    ['packages/events/src/a.ts', `import '@gatehouse/db';`, 'schema, runtime alone'],
    ['packages/http/src/a.test.ts', `import { x } from '@gatehouse/accounts/testing';`, 'http may import'],
    ['services/core/src/a.ts', `export { x } from '@gatehouse/portal';`, 'core may import'],
    ['services/mail-worker/src/a.ts', `import '@gatehouse/http';`, 'mail-worker may import'],
    ['services/portal/src/a.ts', `import 'gatehouse-client';`, 'portal may import'],
    ['services/new/src/a.ts', `import '@gatehouse/schema';`, 'has no layer'],
    ['services/core/src/a.ts', `import '../../portal/src/app.ts';`, 'entered by its name'],
    ['packages/db/src/a.ts', `import { x } from '@gatehouse/events/src/link.ts';`, 'its /testing face'],
    ['services/core/src/account/a.ts', `import { x } from '../person/b.ts';`, 'another slice'],
    ['packages/accounts/src/checks/a.ts', `import { x } from '../session/b.ts';`, 'goes up or across'],
    ['packages/accounts/src/mail/a.ts', `import { x } from '../guest/b.ts';`, 'goes up or across'],
    ['packages/dev/src/a.ts', `import type { Express } from 'express';`, 'in http alone'],
    ['services/admin/src/a.ts', `const pg = await ${dynamic}('pg');`, 'in db alone'],
    ['packages/accounts/src/a.ts', `import { compare } from 'bcryptjs';`, 'in auth-core alone'],
    [
      'services/admin/src/account/a.ts',
      `import * as client from 'openid-client';`,
      'services/admin/src/sso/ alone',
    ],
    ['services/admin/src/sso/a.ts', `import { Provider } from 'oidc-provider';`, 'in dev alone'],
    ['packages/db/src/a.ts', `const url = ${environment}['DATABASE_URL'];`, 'runtime/config.ts alone'],
    ['packages/db/src/b.ts', `import { env } ${from} 'node:process';`, 'runtime/config.ts alone'],
    ['services/portal/src/account/a.ts', 'await inTransaction(deps.db, request, work);', 'by operations'],
    ['services/core/src/person/a.ts', 'await audit.append(tx, entries, request);', 'by operations'],
    ['packages/http/src/a.ts', 'await outbox.add(tx, [event]);', 'by operations'],
    ['packages/mails/src/a.test.ts', `const jwk = key.${member}({ format: 'jwk' });`, 'may block Node 20'],
    ['packages/db/src/shared/a.ts', '', 'says nothing'],
    ['packages/db/src/helpers.test.ts', '', 'says nothing'],
    ['packages/db/src/a.ts', 'x;\n'.repeat(401), '401 lines'],
  ] as const) {
    it(`finds that ${path} breaks "${rule}"`, () => {
      const [found = '', ...more] = violations([{ path, text }]);
      assert.ok(found.startsWith(path) && found.includes(rule), found);
      assert.deepEqual(more, []);
    });
  }

  for (const [path, text] of [
    [
      'services/core/src/account/a.ts',
      `import '../deps.ts';\nimport './b.ts';\nimport '@gatehouse/http/testing';`,
    ],
    ['services/core/src/account/a.test.ts', `import '../testing/index.ts';`],
    ['services/core/src/app.ts', `import './account/a.ts';\nimport './person/b.ts';`],
    ['services/admin/src/sso/a.ts', `import * as client from 'openid-client';`],
    ['packages/http/src/a.ts', `import express from 'express';\nimport { x } from 'express-like';`],
    ['packages/dev/src/a.ts', `import '@gatehouse/core';\nconst settings = ${environment};`],
    ['packages/runtime/src/settings/config.ts', `const environment = ${environment};`],
    ['packages/auth-core/src/passwords/common-passwords.ts', ''],
    ['packages/accounts/src/guest/a.ts', 'await inTransaction(deps.db, origin, work);'],
    ['packages/accounts/src/guest/b.ts', `import { x } from '../checks/c.ts';`],
    ['services/portal/src/account/a.test.ts', 'await inTransaction(db, NO_DEADLINE, work);'],
    ['services/admin/src/audit/a.ts', 'await audit.findNewest(deps.db, filter, paging);'],
    ['packages/db/src/a.test.ts', 'x;\n'.repeat(401)],
  ] as const) {
    it(`finds nothing wrong with ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
      assert.deepEqual(violations([{ path, text }]), []);
    });
  }
});

function readSources(): Source[] {
  return ['packages', 'services'].flatMap((kind) =>
    readdirSync(new URL(`${kind}/`, ROOT)).flatMap((name) => {
      const folder = new URL(`${kind}/${name}/src/`, ROOT);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.m?[jt]s$/.test(file) && !BUILT.test(file))
        .map((file) => ({
          path: `${kind}/${name}/src/${file.replaceAll('\\', '/')}`,
          text: readFileSync(new URL(file, folder), 'utf8'),
        }));
    }),
  );
}
