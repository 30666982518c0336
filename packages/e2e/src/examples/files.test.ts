import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { provide, quiet } from '@gatehouse/stack';
import { parse } from 'yaml';

const EXAMPLES = new URL('../../../../examples/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, EXAMPLES), 'utf8');
const IDENTITY = ['X-Auth-Account', 'X-Auth-Session', 'X-Auth-Role'];

/** The fields of an Envoy filter that the example uses. */
interface EnvoyFilter {
  name: string;
  typed_config: {
    mutations?: { request_mutations: { remove: string }[] };
    default_source_code?: { inline_string: string };
    failure_mode_allow?: boolean;
    http_service?: {
      server_uri: { cluster: string };
      path_override: string;
      authorization_response: { allowed_upstream_headers: { patterns: { exact: string }[] } };
    };
  };
}

/** The filters that the Envoy example puts in front of the app, and the clusters that it defines. */
function envoyFilters(): { filters: EnvoyFilter[]; clusters: string[] } {
  const { static_resources: all } = parse(read('envoy/envoy.yaml')) as {
    static_resources: {
      listeners: { filter_chains: { filters: { typed_config: { http_filters: EnvoyFilter[] } }[] }[] }[];
      clusters: { name: string }[];
    };
  };
  const filters = all.listeners[0]?.filter_chains[0]?.filters[0]?.typed_config.http_filters ?? [];
  return { filters, clusters: all.clusters.map(({ name }) => name) };
}

/** The Lua scripts of the Kong example. */
function kongScripts(): string[] {
  const { services } = parse(read('kong/kong.yml')) as {
    services: { plugins: { name: string; config: { access: string[] } }[] }[];
  };
  return services.flatMap(({ plugins }) => plugins.flatMap(({ config }) => config.access));
}

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
    // Also with underscores, which some servers treat as hyphens.
    const claimed = IDENTITY.flatMap((name) => [
      name,
      name.replaceAll('-', '_'),
      name.replace('-', '_'),
      name.replace(/-(?=\w+$)/, '_'),
    ]);
    for (const name of ['gatehouse', 'gatehouse-admin']) {
      assert.deepEqual(middlewares[name]?.forwardAuth?.authResponseHeaders, IDENTITY);
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
    assert.deepEqual(plugins?.['forward-auth']?.upstream_headers, IDENTITY);
    assert.deepEqual(new Set(plugins['proxy-rewrite']?.headers?.remove), new Set(claimed));
    for (const folder of ['traefik', 'apisix', 'envoy', 'kong']) {
      assert.match(read(`${folder}/README.md`), /\*\*By the documentation:\*\*/);
    }
  });

  it('for Envoy request one path by GET, after removing identity headers and before checking them', () => {
    const { filters, clusters } = envoyFilters();
    assert.deepEqual(
      filters.map(({ name }) => name),
      [
        'no-identity',
        'clear-paths',
        'as-get',
        'gatehouse',
        'as-it-was',
        'roles',
        'envoy.filters.http.router',
      ],
    );
    const lower = IDENTITY.map((name) => name.toLowerCase());
    const removed = filters[0]?.typed_config.mutations?.request_mutations.map(({ remove }) => remove);
    assert.deepEqual(removed, lower);
    const { http_service: asked, failure_mode_allow } = filters[3]?.typed_config ?? {};
    assert.equal(asked?.path_override, '/ping/auth');
    assert.ok(clusters.includes(asked.server_uri.cluster));
    assert.equal(failure_mode_allow, false);
    const passed = asked.authorization_response.allowed_upstream_headers.patterns;
    assert.deepEqual(
      passed.map(({ exact }) => exact),
      lower,
    );
  });

  it('for Envoy and Kong have scripts that are Lua', async function () {
    this.timeout(180_000); // mostly for installing HAProxy on a new machine
    const { haproxy } = await provide(quiet, ['haproxy']);
    const scripts = envoyFilters().filters.flatMap(
      ({ typed_config }) => typed_config.default_source_code?.inline_string ?? [],
    );
    const texts = [...scripts, ...kongScripts()];
    assert.equal(texts.length, 3);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lua-'));
    // HAProxy contains Lua, and runs this file when it checks its configuration. It compiles each script but runs none.
    for (const [at, text] of texts.entries()) writeFileSync(join(folder, `${at}.lua`), text);
    writeFileSync(
      join(folder, 'all.lua'),
      texts.map((_, at) => `assert(loadfile('${join(folder, `${at}.lua`)}'))\n`).join(''),
    );
    const file = join(folder, 'haproxy.cfg');
    const web = 'defaults\n  mode http\n  timeout client 1s\nfrontend web\n  bind 127.0.0.1:8000\n';
    writeFileSync(file, `global\n  lua-load ${join(folder, 'all.lua')}\n${web}`);
    try {
      await promisify(execFile)(haproxy, ['-q', '-c', '-f', file]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('in Python match the sample in the documentation, which is tested', () => {
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
