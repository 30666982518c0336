import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { exists, filesIn, readPage, roomsIn } from './documents/documents.ts';

/** The packages and services, in the order of docs/architecture.md. */
const ROOMS = [...readPage('docs/architecture.md').matchAll(/^- `((?:packages|services)\/[\w-]+)`: /gm)].map(
  ([, room = '']) => room,
);

/** What each may import: pnpm gives it only what its package.json lists, and of our packages only their `exports`. */
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
  const assertNone = (isWrong: (source: Source) => boolean, why?: string): void =>
    assert.deepEqual(fieldsOf(sources.filter(isWrong), 'path'), [], why);

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
    assertNone(
      ({ path, text }) => importsOf(text).includes('openid-client') && !path.startsWith(SIGN_ON),
      'a slice has it to itself',
    );
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

  it('cross slices of packages/accounts only where a reason is listed, and wherever one is', () => {
    const used = sources.flatMap(({ path, text }) =>
      importsOf(text).flatMap(
        (specifier) => crossing(path, posix.join(posix.dirname(path), specifier)) ?? [],
      ),
    );
    assert.deepEqual([...new Set(used)].toSorted(), Object.keys(CROSSINGS).toSorted());
  });

  it('write transactions, audit entries and events in operations of accounts alone', () => {
    assertNone(
      ({ path, text }) =>
        WRITES.test(text) &&
        !WRITERS.some((place) => path.startsWith(place)) &&
        !path.endsWith('.test.ts') &&
        !/\/testing[-/.]/.test(path),
    );
  });

  it('export no key as a JWK, which may block Node 20 forever: newP256Jwk makes one, or DER is exported', () => {
    assertNone(({ text }) => /\.export\(\{[^}]*\bjwk\b/.test(text));
  });

  it('have no files whose names say nothing about what is in them', () => {
    assertNone(({ path }) => /\/(utils?|common|helpers?|shared)[./]/.test(path));
  });

  it('have at most 400 lines in a file, unless it is generated or a test', () => {
    const long = ({ path, text }: Source) =>
      text.trimEnd().split('\n').length > 400 && !path.endsWith('.test.ts');
    assertNone((source) => long(source) && !source.text.startsWith('// Written by `npm run'));
  });

  it('are not empty', () => {
    assert.ok(sources.length > 150, `${sources.length} files`);
    const imported = new Set(sources.flatMap(({ text }) => importsOf(text)));
    for (const specifier of ['@gatehouse/schema', '@gatehouse/http/testing', './cast.ts', 'openid-client'])
      assert.ok(imported.has(specifier), specifier);
  });
});

type Source = ReturnType<typeof readSources>[number];

function readSources() {
  return [...roomsIn('packages'), ...roomsIn('services')]
    .flatMap((room) => filesIn(`${room}/src`))
    .filter((path) => /\.m?[jt]s$/.test(path) && !BUILT.test(path))
    .map((path) => ({ path, text: readPage(path) }));
}

/** All modules that the text imports or exports from, in statements that Prettier begins at the start of a line. */
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

/**
 * The floors of `packages/accounts`. A folder imports floors before its own; folders of one floor (the slices) do not
 * import each other. What is not listed here stands below all floors: the files directly in `src`.
 */
const FLOORS = [
  ['settings'],
  ['checks'],
  ['session'],
  ['account'],
  [
    'email-login',
    'erasure',
    'guest',
    'handover',
    'import',
    'mail',
    'passkey',
    'sign-in',
    'sso',
    'statistics',
    'two-factor',
  ],
  ['login'],
  ['open'],
  ['testing'],
];

/** The imports that go up, or from one slice to another, with their reasons. */
const CROSSINGS: Readonly<Record<string, string>> = {
  'account -> erasure': 'a change of an account leaves it disabled while it is to be erased',
  'passkey -> two-factor': 'a proof may ask for the second factor',
  'two-factor -> passkey': 'the second step of a login may be a passkey',
  'guest -> handover': 'the first session of a guest opens with a code, as that of a hand-over does',
  'sso -> handover': 'a sign-on ends in a code, as a hand-over does',
};

const ROOT = 'packages/accounts/src/';

/** How an import from one file to another breaks the rule of the floors, as `from -> to`. */
function crossing(from: string, to: string): string | undefined {
  const [mine, other] = [folderOf(from), folderOf(to)];
  if (mine === undefined || other === undefined || mine === other) return undefined;
  if (from.endsWith('.test.ts') || floorOf(other) < floorOf(mine)) return undefined;
  return `${mine} -> ${other}`;
}

function folderOf(path: string): string | undefined {
  const [folder, ...file] = path.slice(ROOT.length).split('/');
  return path.startsWith(ROOT) && file.length > 0 ? folder : undefined;
}

function floorOf(folder: string): number {
  const floor = FLOORS.findIndex((folders) => folders.includes(folder));
  if (floor < 0) throw new Error(`packages/accounts/src/${folder} has no floor in layers.test.ts`);
  return floor;
}
