import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { exists, filesIn, readPage, roomsIn } from './documents/documents.ts';
import { crossing, CROSSINGS } from './slices.ts';

/** The packages and services, in the order of docs/architecture.md. */
const ROOMS = [...readPage('docs/architecture.md').matchAll(/^- `((?:packages|services)\/[\w-]+)`: /gm)].map(
  ([, room = '']) => room,
);

/**
 * What each may import: pnpm gives it only the packages that its package.json lists, and those have only the faces of
 * their `exports`.
 */
const MANIFESTS = ROOMS.filter((room) => exists(`${room}/package.json`)).map((room) => {
  const manifest = JSON.parse(readPage(`${room}/package.json`)) as Manifest; // pnpm has read it
  return { room, name: manifest.name, uses: { ...manifest.dependencies, ...manifest.devDependencies } };
});

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Libraries of several packages: ids, caches, and the tokens that `packages/verify` checks in other people's services. */
const LIBRARIES_OF_SEVERAL = ['uuid', 'lru-cache', 'jose'];

/** Files that the build writes next to sources (`packages/build`). */
const BUILT = /\/src\/(built|openapi\/reference)\//;

/** They test the whole system, also with the libraries of others. */
const TESTS_OF_ALL = ['packages/e2e', 'packages/lab'];

describe('packages and services', () => {
  const sources = readSources();
  const wrong = (rule: (source: Source) => boolean): string[] => sources.filter(rule).map(({ path }) => path);

  it('are all listed in docs/architecture.md, and each imports only what is listed before it', () => {
    assert.deepEqual(ROOMS.toSorted(), [...roomsIn('packages'), ...roomsIn('services')].toSorted());
    const upwards = MANIFESTS.flatMap(({ room, uses }, at) => {
      const above = MANIFESTS.slice(at).filter(({ name }) => name in uses);
      return above.map(({ name }) => `${room}: ${name}`);
    });
    assert.deepEqual(upwards, []);
  });

  it('import no other service', () => {
    const services = MANIFESTS.filter(({ room }) => room.startsWith('services/'));
    const across = services.filter(({ uses }) => services.some(({ name }) => name in uses));
    assert.deepEqual(across, []);
  });

  it('share no libraries, so that replacing one affects one package', () => {
    const all = MANIFESTS.filter(({ room }) => !TESTS_OF_ALL.includes(room)).flatMap(({ uses }) =>
      Object.keys(uses).filter((name) => uses[name] !== 'workspace:*'),
    );
    const shared = all.filter((name, at) => all.indexOf(name) !== at);
    assert.deepEqual(new Set(shared), new Set(LIBRARIES_OF_SEVERAL));
    const elsewhere = wrong(
      ({ path, text }) => importsOf(text).includes('openid-client') && !path.startsWith(SIGN_ON),
    );
    assert.deepEqual(elsewhere, [], 'a slice has it to itself');
  });

  it('are entered by their names, and import no other slice: what two need moves up', () => {
    const found = sources.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => isWayIn(path, posix.join(posix.dirname(path), specifier)))
        .map((specifier) => `${path}: ${specifier}`),
    );
    assert.deepEqual(found, []);
  });

  it('cross slices of packages/accounts only as slices.ts says, and in each of its ways', () => {
    const used = sources.flatMap(({ path, text }) =>
      importsOf(text).flatMap(
        (specifier) => crossing(path, posix.join(posix.dirname(path), specifier)) ?? [],
      ),
    );
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(CROSSINGS).toSorted());
  });

  it('write transactions, audit entries and events in operations of accounts alone', () => {
    assert.deepEqual(
      wrong(
        ({ path, text }) =>
          WRITES.test(text) &&
          !WRITERS.some((place) => path.startsWith(place)) &&
          !path.endsWith('.test.ts') &&
          !/\/testing[-/.]/.test(path),
      ),
      [],
    );
  });

  it('export no key as a JWK, which may block Node 20 forever: newP256Jwk makes one, or DER is exported', () => {
    assert.deepEqual(
      wrong(({ text }) => /\.export\(\{[^}]*\bjwk\b/.test(text)),
      [],
    );
  });

  it('have no files whose names say nothing about what is in them', () => {
    assert.deepEqual(
      wrong(({ path }) => /\/(utils?|common|helpers?|shared)[./]/.test(path)),
      [],
    );
  });

  it('have at most 400 lines in a file, unless it is generated or a test', () => {
    const long = ({ path, text }: Source) =>
      text.trimEnd().split('\n').length > 400 && !path.endsWith('.test.ts');
    assert.deepEqual(
      wrong((source) => long(source) && !source.text.startsWith('// Written by `npm run')),
      [],
    );
  });

  it('are not empty', () => {
    assert.ok(sources.length > 150, `${sources.length} files`);
    const imported = new Set(sources.flatMap(({ text }) => importsOf(text)));
    for (const specifier of ['@gatehouse/schema', '@gatehouse/http/testing', './slices.ts', 'openid-client'])
      assert.ok(imported.has(specifier), specifier);
  });
});

/** A source file with its path from the root of the repository. */
interface Source {
  path: string;
  text: string;
}

function readSources(): Source[] {
  return [...roomsIn('packages'), ...roomsIn('services')]
    .flatMap((room) => filesIn(`${room}/src`))
    .filter((path) => /\.m?[jt]s$/.test(path) && !BUILT.test(path))
    .map((path) => ({ path, text: readPage(path) }));
}

/**
 * All modules that the text imports or exports from. Statements start at the beginning of a line, because Prettier
 * formats them so.
 */
function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap((match) => match[1] ?? match[2] ?? []);
}

const IMPORT =
  /^(?:import|export)\s(?:(?:type\s)?[\w$*{},\s]+?\sfrom\s)?\s*['"]([^'"\n]+)['"]|\b(?:import|require)\(\s*['"]([^'"\n]+)['"]/gm;

const SIGN_ON = 'services/admin/src/sso/';

/** Who may open transactions and write audit entries and events, besides tests. */
const WRITERS = [
  ...['packages/db/', 'packages/accounts/', 'packages/e2e/', 'packages/lab/'],
  // Its transactions are those of IndexedDB.
  'packages/client/src/session/token-storage.ts',
  // A demonstration begins with what no operation makes, and an invented one has a past.
  ...['packages/dev/src/stack/seed.ts', 'packages/dev/src/demo/seed-demo.ts'],
];
const WRITES = /\binTransaction\b|\.transaction\(|\baudit\.append\b|\boutbox\.add\b/;

/** Whether an import by a path enters another package, or another slice of a service. */
function isWayIn(from: string, to: string): boolean {
  // The root package.json has the only version.
  if (from === 'packages/runtime/src/version.ts' && to === 'package.json') return false;
  const [, mine = ''] = from.split('/');
  if (mine !== to.split('/')[1]) return !['codegen', 'e2e', 'lab'].includes(mine);
  const slices = [sliceOf(from), sliceOf(to)];
  // What supports the tests of one slice may serve those of another.
  if (slices.includes(undefined) || slices.includes('testing') || to.endsWith('/testing.ts')) return false;
  return slices[0] !== slices[1];
}

/** The slices of a service are its folders in `src`. */
function sliceOf(path: string): string | undefined {
  const [kind, , , slice, ...file] = path.split('/');
  return kind === 'services' && file.length > 0 ? slice : undefined;
}
