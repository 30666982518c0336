import { posix } from 'node:path';
import { crossing, CROSSINGS } from './slices.ts';

/** A source file with its path from the root of the repository. */
export interface Source {
  path: string;
  text: string;
}

const BELOW_SERVICES = [
  'schema',
  'runtime',
  'brand',
  'redis',
  'auth-core',
  'events',
  'mails',
  'db',
  'accounts',
  'http',
  'kit',
];

/** What each package may import: only packages further down. Services never import each other. */
const MAY_IMPORT: Record<string, string[] | 'everything'> = {
  build: [],
  // Runs in browsers, too.
  intake: [],
  schema: ['intake'],
  // Its tests start processes from a bundle.
  runtime: ['schema', 'build'],
  brand: ['schema', 'runtime'],
  redis: ['schema', 'runtime'],
  'auth-core': ['schema', 'runtime', 'redis'],
  events: ['schema', 'runtime'],
  db: ['schema', 'runtime', 'events'],
  mails: ['schema', 'brand', 'events'],
  accounts: ['intake', 'schema', 'runtime', 'redis', 'auth-core', 'db', 'events'],
  // Its tests start built services.
  http: ['schema', 'runtime', 'redis', 'auth-core', 'build'],
  kit: ['schema', 'events', 'db', 'accounts', 'http'],
  web: ['intake', 'schema', 'brand', 'http', 'client'],
  // Runs in other people's apps, so it contains none of our packages.
  client: [],
  // The same: it runs in other people's services.
  verify: [],
  core: BELOW_SERVICES,
  portal: [...BELOW_SERVICES, 'web'],
  admin: [...BELOW_SERVICES, 'web'],
  'mail-worker': ['schema', 'runtime', 'brand', 'events', 'mails', 'db'],
  'hook-worker': ['schema', 'runtime', 'events', 'db'],
  tools: ['intake', 'schema', 'runtime', 'auth-core', 'db', 'accounts'],
  dev: 'everything',
  codegen: 'everything',
  e2e: 'everything',
  lab: 'everything',
};

/** Libraries that only one package may import, so that replacing a library affects one package. */
const HOME_OF: Record<string, string | readonly string[]> = {
  esbuild: 'build',
  '@opentelemetry/api': 'runtime',
  '@opentelemetry/sdk-trace-base': 'runtime',
  express: 'http',
  knex: 'db',
  pg: 'db',
  ioredis: 'redis',
  jose: ['auth-core', 'verify'],
  otpauth: 'auth-core',
  bcryptjs: 'auth-core',
  '@node-rs/argon2': 'auth-core',
  '@simplewebauthn/server': 'auth-core',
  amqplib: 'events',
  'oidc-provider': 'dev',
  'playwright-core': 'e2e',
  'axe-core': 'e2e',
  preact: 'web',
  'preact-iso': 'web',
  'lean-qr': 'web',
  '@tanstack/query-core': 'web',
  uplot: 'web',
  react: 'client',
  publint: 'e2e',
};

/** Applications that sign people in through Gatehouse. They choose their libraries themselves. */
const APPLICATIONS = ['packages/lab/clients/'];

/** Libraries that only one slice may import. */
const SLICE_OF: Record<string, string> = { 'openid-client': 'services/admin/src/sso/' };

/** The packages that may open transactions and write audit entries and events. Tests may do so too. */
const WRITERS = ['db', 'accounts', 'e2e', 'lab'];
const WRITER_FILES: Record<string, string> = {
  'packages/client/src/session/token-storage.ts': 'its transactions are those of IndexedDB',
  'packages/dev/src/stack/seed.ts': 'the demonstration begins with what no operation makes',
  'packages/dev/src/demo/seed-demo.ts':
    'an invented installation is written as rows, as no operation makes the past',
};
const WRITES = /\binTransaction\b|\.transaction\(|\baudit\.append\b|\boutbox\.add\b/;

const LINES_MAX = 400;

/** All violations of the rules for packages: the file, what it does, and the rule. */
export function violations(sources: Source[]): string[] {
  return sources.flatMap((source) => [
    ...importsOf(source.text).flatMap((specifier) => {
      const rule = brokenBy(source.path, specifier);
      return rule === undefined ? [] : [`${source.path} imports '${specifier}': ${rule}`];
    }),
    ...ofTheFile(source).map((rule) => `${source.path}: ${rule}`),
  ]);
}

/**
 * All modules that the text imports or exports from. Statements start at the beginning of a line, because Prettier
 * formats them so.
 */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap((match) => match[1] ?? match[2] ?? []);
}

const IMPORT =
  /^(?:import|export)\s(?:(?:type\s)?[\w$*{},\s]+?\sfrom\s)?\s*['"]([^'"\n]+)['"]|\b(?:import|require)\(\s*['"]([^'"\n]+)['"]/gm;

function brokenBy(path: string, specifier: string): string | undefined {
  const importer = packageOf(path);
  if (specifier.startsWith('.')) return brokenInside(path, posix.join(posix.dirname(path), specifier));
  const [scope = '', name = '', ...rest] = specifier.split('/');
  if (scope === '@gatehouse') return brokenBetween(importer, name, rest.join('/'));
  const published = /^gatehouse-(.+)$/.exec(scope)?.[1];
  if (published !== undefined) return brokenBetween(importer, published, '');
  if (APPLICATIONS.some((start) => path.startsWith(start))) return undefined;
  const library = scope.startsWith('@') ? `${scope}/${name}` : scope;
  const slice = SLICE_OF[library];
  if (slice !== undefined && !path.startsWith(slice)) return `${library} is imported in ${slice} alone`;
  const homes = [HOME_OF[library] ?? []].flat();
  if (homes.length > 0 && !homes.includes(importer))
    return `${scope} is imported in ${homes.join(', ')} alone`;
  return undefined;
}

function brokenInside(from: string, to: string): string | undefined {
  // The root package.json has the only version.
  if (from === 'packages/runtime/src/version.ts' && to === 'package.json') return undefined;
  if (packageOf(from) !== packageOf(to)) {
    return ['codegen', 'e2e', 'lab'].includes(packageOf(from))
      ? undefined
      : 'a package is entered by its name, never by a path';
  }
  const arrow = crossing(from, to);
  if (arrow !== undefined && !(arrow in CROSSINGS)) return `${arrow} goes up or across: see slices.ts`;
  const [mine, other] = [sliceOf(from), sliceOf(to)];
  if (mine === undefined || other === undefined || mine === other) return undefined;
  // What supports the tests of one slice may serve those of another.
  if (mine === 'testing' || other === 'testing' || to.endsWith('/testing.ts')) return undefined;
  return 'a slice never imports another slice: what two need moves up';
}

function brokenBetween(importer: string, other: string, face: string): string | undefined {
  if (!['', 'testing'].includes(face)) return 'a package is entered by its name or its /testing face';
  const allowed = MAY_IMPORT[importer];
  if (allowed === 'everything') return undefined;
  if (allowed === undefined) return `${importer} has no layer: give it one in layers.ts`;
  if (allowed.includes(other)) return undefined;
  return `${importer} may import ${allowed.length === 0 ? 'none of ours' : `${allowed.join(', ')} alone`}`;
}

function ofTheFile({ path, text }: Source): string[] {
  const rules: string[] = [];
  const importer = packageOf(path);
  if (
    ENVIRONMENT.test(text) &&
    path !== 'packages/runtime/src/settings/config.ts' &&
    !['dev', 'build'].includes(importer)
  )
    rules.push('the environment is read in runtime/config.ts alone');
  if (WRITES.test(text) && !WRITERS.includes(importer) && !isForTests(path) && !(path in WRITER_FILES))
    rules.push('transactions, audit entries and events are written by operations of accounts alone');
  if (JWK_EXPORT.test(text))
    rules.push('a key exported as a JWK may block Node 20 forever: use newP256Jwk, or export DER');
  const catchAll = path.split('/').find((part) => CATCH_ALLS.has(part.split('.')[0] ?? ''));
  if (catchAll !== undefined) rules.push(`${catchAll} says nothing about what is in it`);
  const lines = text.trimEnd().split('\n').length;
  const isGenerated = text.startsWith('// Written by `npm run');
  if (lines > LINES_MAX && !isGenerated && !path.endsWith('.test.ts'))
    rules.push(`${lines} lines, more than ${LINES_MAX}: split it by idea`);
  return rules;
}

const ENVIRONMENT =
  /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[\s*['"]env['"]|\benv\b[^;]*from 'node:process'/;
const JWK_EXPORT = /\.export\(\{[^}]*\bjwk\b/;
const CATCH_ALLS = new Set(['utils', 'util', 'common', 'helpers', 'helper', 'shared']);

function isForTests(path: string): boolean {
  return path.endsWith('.test.ts') || /\/testing[-/.]/.test(path);
}

/** The name in `packages/<name>/…` or `services/<name>/…`. */
function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** The slices of a service are its folders in `src`. `testing` is for the tests of all slices. */
function sliceOf(path: string): string | undefined {
  const [kind, , , slice, ...file] = path.split('/');
  return kind === 'services' && file.length > 0 ? slice : undefined;
}
