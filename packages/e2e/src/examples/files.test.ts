import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const EXAMPLES = new URL('../../../../examples/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, EXAMPLES), 'utf8');

describe('the files of examples', () => {
  it('that no test runs say so, and are well-formed', () => {
    const traefik = parse(read('traefik/dynamic.yml')) as {
      http: {
        middlewares: Record<
          string,
          {
            forwardAuth?: { authResponseHeaders: string[]; authRequestHeaders: string[] };
            headers?: { customRequestHeaders: Record<string, string> };
          }
        >;
        routers: Record<string, { rule: string; middlewares: string[] }>;
      };
    };
    const { middlewares, routers } = traefik.http;
    const identity = ['X-Auth-Account', 'X-Auth-Session', 'X-Auth-Role'];
    // With underscores too, which some servers take for hyphens.
    const claimed = identity.flatMap((name) => [
      name,
      name.replaceAll('-', '_'),
      name.replace('-', '_'),
      name.replace(/-(?=\w+$)/, '_'),
    ]);
    for (const name of ['gatehouse', 'gatehouse-admin']) {
      assert.deepEqual(middlewares[name]?.forwardAuth?.authResponseHeaders, identity);
      assert.deepEqual(middlewares[name].forwardAuth.authRequestHeaders, ['Authorization']);
    }
    const emptied = middlewares['no-identity']?.headers?.customRequestHeaders;
    assert.deepEqual(emptied, Object.fromEntries(claimed.map((name) => [name, ''])));
    assert.equal(routers['admin']?.rule, 'PathRegexp(`(?i)^/admin`)');
    for (const router of Object.values(routers)) {
      assert.equal(router.middlewares[0], 'no-identity', 'what a client claims goes first');
      assert.ok(router.middlewares.every((name) => name in middlewares));
    }
    const apisix = parse(read('apisix/route.yaml')) as {
      routes: { plugins: Record<string, { upstream_headers?: string[]; headers?: { remove: string[] } }> }[];
    };
    const plugins = apisix.routes[0]?.plugins;
    assert.deepEqual(plugins?.['forward-auth']?.upstream_headers, identity);
    assert.deepEqual(new Set(plugins['proxy-rewrite']?.headers?.remove), new Set(claimed));
    for (const folder of ['traefik', 'apisix']) {
      assert.match(read(`${folder}/README.md`), /\*\*By the documentation:\*\*/);
    }
  });

  it('in Python are the sample of the documentation, which runs', () => {
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
