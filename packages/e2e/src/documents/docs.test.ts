import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { readItems, readPart } from '@gatehouse/codegen';
import {
  anchorsOf,
  blocksIn,
  codeIn,
  examples,
  exists,
  linksOf,
  pages,
  pathsIn,
  readPage,
  roomsIn,
  sources,
} from './documents.ts';

describe('the documents', () => {
  it('link to existing pages and headings', () => {
    const dead = pages().flatMap((page) =>
      linksOf(page)
        .filter(({ path, anchor }) => !exists(path) || (anchor !== undefined && !anchorsOf(path).has(anchor)))
        .map(({ path, anchor }) => `${page}: ${path}${anchor === undefined ? '' : `#${anchor}`}`),
    );
    assert.deepEqual(dead, []);
  });

  it('name existing files', () => {
    const missing = pages().flatMap((page) =>
      pathsIn(readPage(page))
        .filter((path) => !exists(path))
        .map((path) => `${page}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  it('are all listed in docs/README.md', () => {
    const listed = new Set(linksOf('docs/README.md').map(({ path }) => path));
    const unlisted = pages().filter((page) => /^docs\/[^/]+\.md$/.test(page) && !listed.has(page));
    assert.deepEqual(unlisted, ['docs/README.md']);
  });

  it('have one for each example, which is listed', () => {
    for (const folder of roomsIn('examples')) {
      const name = basename(folder);
      assert.ok(readPage('examples/README.md').includes(`[${name}](${name})`), name);
      assert.ok(readPage(`${folder}/README.md`).split('\n').length <= 16, name);
    }
  });

  it('and examples import only packages that can be installed', () => {
    const ofUsers = pages().filter((page) =>
      /^(README\.md|docs\/[^/]+\.md|packages\/(client|verify)\/)/.test(page),
    );
    const texts = [...ofUsers.map((page) => [page, codeIn(readPage(page))] as const), ...examples()];
    assert.ok(texts.some(([, text]) => text.includes('gatehouse-client')));
    const unpublished = texts.filter(([, text]) => text.includes('@gatehouse/')).map(([path]) => path);
    assert.deepEqual(unpublished, []);
  });

  it('quote the example for agents as it is', () => {
    const server = readPage('examples/mcp/server.mjs');
    const quoted = blocksIn(readPage('docs/mcp.md'), 'js');
    assert.deepEqual([quoted.length, quoted.filter((text) => !server.includes(text))], [2, []]);
  });

  it('number every decision once and list them all by title', () => {
    const decisions = pages().filter((page) => /^docs\/decisions\/\d/.test(page));
    const entries = readPage('docs/decisions/README.md').matchAll(/^- \[(\d+)\. ([^[\]]+)\]\(([^()]+)\)$/gm);
    const listed = [...entries].map(([, number, title, page]) => [number, page, title]);
    const real = decisions.map((page) => {
      const [number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(readPage(page))?.slice(1) ?? [];
      assert.equal(page.slice(15, 19), number.padStart(4, '0'), page);
      return [number, page.slice(15), title];
    });
    assert.deepEqual(listed, real);
    assert.equal(new Set(real.map(([number]) => number)).size, real.length);
  });
});

describe('docs/operations.md', () => {
  it('lists every metric with its services, and no other', () => {
    const documented = readItems('docs/operations.md', 'metrics').map(([name, [of]]) => `${name} of ${of}`);
    // Metrics of a package are measured by all three APIs.
    const ownerOf = (room: string) => (room.startsWith('services/') ? basename(room) : 'APIs');
    const real = sources().flatMap(({ room, text }) =>
      [...text.matchAll(METRIC)].map(([, name]) => `${name} of ${ownerOf(room)}`),
    );
    assert.deepEqual(documented.toSorted(), real.toSorted());
  });

  it('lists every line that services log as a warning or an error', () => {
    const documented = readItems('docs/operations.md', 'log').map(([message]) => message);
    const logged = sources()
      .filter(({ room }) => !['packages/dev', 'packages/e2e', 'packages/lab'].includes(room))
      .flatMap(({ text }) => [...text.matchAll(LOG_LINE)].map(([, line, pattern]) => line ?? pattern ?? ''))
      // As the list has it: code ticks are left out there, and names that vary are dots.
      .map((line) => line.replaceAll('`', '').replaceAll(/\$\{\w+\}/g, '…'));
    assert.ok(logged.length > 30, `${logged.length} lines`);
    const unlisted = logged.filter((line) => !documented.includes(line));
    assert.deepEqual(unlisted, []);
  });

  it('quotes log messages exactly', () => {
    const all = sources().map(({ text }) => text.replaceAll('`', '').replaceAll('${name}', '…'));
    for (const [message] of readItems('docs/operations.md', 'log')) {
      const isLogged = all.some((text) => text.includes(`'${message}'`) || text.includes(`(${message}, `));
      assert.ok(isLogged, message);
    }
  });
});

const LOG_LINE = /\blog\.(?:warn|error)\(\s*(?:'([^']+)'|`([^`]+)`)/g;
const METRIC = /\bname: '(\w+)',\s*help: /g;

const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

type Package = { license?: string } & Partial<Record<(typeof KINDS)[number], Record<string, string>>>;

describe('docs/supply-chain.md', () => {
  const listed = [
    ...readPart('docs/supply-chain.md', 'dependencies').matchAll(/`([^`]+)`(?:\s+\(([^)]+)\))?/g),
  ];
  const documented = new Map(listed.map(([, name = '', licence = 'MIT']) => [name, licence]));
  const used = new Map<string, string | undefined>();
  const read = (folder: string) => JSON.parse(readPage(`${folder}/package.json`)) as Package;
  for (const folder of ['.', ...roomsIn('packages'), ...roomsIn('services')]) {
    if (!exists(`${folder}/package.json`)) continue;
    const about = read(folder);
    for (const [name, version] of KINDS.flatMap((kind) => Object.entries(about[kind] ?? {}))) {
      if (version.startsWith('workspace:')) continue;
      const installed = `${folder}/node_modules/${name}`;
      used.set(name, exists(`${installed}/package.json`) ? read(installed).license : used.get(name));
    }
  }

  it('lists each dependency once, and no other', () => {
    assert.ok(used.size > 40);
    assert.equal(listed.length, documented.size);
    assert.deepEqual([...documented.keys()].toSorted(), [...used.keys()].toSorted());
  });

  it('names the licence that each has', () => {
    for (const [name, licence] of documented) assert.equal(licence, used.get(name), name);
  });
});

describe('docs/attacks.md', () => {
  const attacks = readAttacks();

  it('names tests that exist, by their files and titles', () => {
    assert.ok(attacks.length > 15, `${attacks.length} attacks`);
    for (const { attack, tests } of attacks) {
      assert.ok(tests.length > 0, `${attack}: no test`);
      for (const { path, title } of tests) {
        assert.ok(exists(path), `${attack}: there is no ${path}`);
        const isThere = title !== '' && titlesOf(readPage(path)).includes(title);
        assert.ok(isThere, `${path} has no “${title}”`);
      }
    }
  });
});

/** The sections between `<!-- attacks -->` and `<!-- /attacks -->`: a heading, and a list of tests. */
function readAttacks() {
  const [, list = ''] = readPage('docs/attacks.md').split(/<!-- \/?attacks -->/);
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
      return { attack, tests };
    });
}

function unwrap(text: string): string {
  return text.replaceAll(/\n {2}(?=\S)/g, ' ');
}

function titlesOf(text: string): string {
  return [...text.matchAll(/\bit\(\s*(['"`])(.*?)\1,/g)].map((found) => found[2]).join('\n');
}
