import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { ALL_ROUTES, nameOf, readPart } from '@gatehouse/codegen';

const SOURCES = new URL('../../../web/src/console/', import.meta.url);
/** Contains all operations. Only calls in the screens themselves count. */
const GENERATED = 'api/operations.ts';

describe('the routes of Admin', () => {
  const routes = new Set(ALL_ROUTES.filter(({ api }) => api === 'Admin').map(({ route }) => nameOf(route)));
  const called = calledByScreens();
  const items = readPart('docs/console.md', 'api-only').matchAll(/^- `([^`]+)`: (.+)$/gm);
  const listed = new Map([...items].map(([, name = '', why = '']) => [name, why]));

  it('are each used by a screen of the console, or listed in docs/console.md with a reason', () => {
    const left = [...routes].filter((name) => !called.has(name) && !listed.has(name));
    assert.deepEqual(left, []);
  });

  it('are listed only if they exist, with a reason', () => {
    for (const [name, why] of listed) {
      assert.ok(routes.has(name), `${name} is no route of Admin`);
      assert.ok(why.length > 20, name);
    }
  });
});

/** Calls such as `GET /admin/account`, as arguments of `callApi` and `useQuery`, and the calls around the sign-in. */
function calledByScreens(): Set<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && file !== GENERATED)
    .flatMap((file) => {
      const source = readFileSync(new URL(file, SOURCES), 'utf8');
      const asked = [...source.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/[^'\s]+)'/g)];
      const direct = [...source.matchAll(/'(GET|POST|PUT|PATCH|DELETE)',\s*'(\/[^'\s]+)'/g)];
      return [
        ...asked.map(([, name = '']) => name),
        ...direct.map(([, method, path]) => `${method} ${path}`),
      ];
    });
  return new Set(found);
}
