import assert from 'node:assert/strict';
import { ALL_ROUTES, nameOf, readItems } from '@gatehouse/codegen';
import { PAGE_PATHS } from '@gatehouse/schema';
import { readPage } from './documents.ts';

/** What our own pages call, and not applications. */
const OF_PAGES = ['/oauth/authorization', '/oauth/end-session'];

describe('docs/openid.md', () => {
  it('lists every endpoint for applications', () => {
    const documented = readItems('docs/openid.md', 'endpoints').map(([name]) => name.split(' ').at(-1));
    const paths = ALL_ROUTES.map(({ route }) => route.path);
    const forApps = paths.filter((path) => path.startsWith('/oauth/') && !OF_PAGES.includes(path));
    assert.deepEqual(new Set(documented), new Set([PAGE_PATHS.authorize, PAGE_PATHS.endSession, ...forApps]));
  });
});

describe('docs/applications/README.md', () => {
  it('names every field of an application', () => {
    const { route } =
      ALL_ROUTES.find((entry) => nameOf(entry.route) === 'POST /admin/oauth-client') ?? assert.fail();
    const { properties = {} }: { properties?: object } = route.body ?? {};
    const text = readPage('docs/applications/README.md');
    assert.deepEqual(
      Object.keys(properties).filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});
