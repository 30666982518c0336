import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildFailed, bundle, IN_ITS_PLACE, nativeModulesOf, stopCompiler, type Bundles } from './bundle.ts';
import { PISCINA_START, PISCINA_WORKER, piscinaWorkerOf } from './bundle.ts';
import { billOfMaterials, createPackageFinder, licencesOf } from './bundled-packages.ts';
import { PROGRAMS, ROOT } from './programs.ts';
import { buildReference, buildWeb } from './web/web-assets.ts';
import { filesBelow, marksOf, STAMP, writeOutputs, type BuildOptions } from './outputs.ts';

/** The files that determine the installed packages. No other file in node_modules is checked. */
const INSTALLED = ['pnpm-lock.yaml', 'node_modules/.modules.yaml'];

/**
 * Builds what follows from the routes, the files for browsers, then every program into `dist/<name>/`: its `main.mjs`,
 * threads, the files that it reads, source maps, licences and bill of materials.
 *
 * @throws {BuildFailed} saying where. Earlier output stays unchanged.
 */
export async function buildPrograms({ root = ROOT, programs = PROGRAMS }: BuildOptions = {}): Promise<void> {
  const begunMs = Date.now();
  const { mains, threads, parts, browser, generated } = await compile(root, programs);
  const files = new Map<string, string | Uint8Array>();
  const findPackages = createPackageFinder(root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const { path, contents } of [...mains.files, ...threads.files])
    files.set(relative(root, path), contents);
  const read = new Set<string>([
    ...INSTALLED,
    'LICENSE',
    'package.json',
    ...ownOf(inputsOf(mains, 'generate')),
  ]);
  const builtFolders = new Set(browser.map(({ folder }) => folder));
  for (const { name, copied, modules } of parts) {
    const carried = new Set(copied.values());
    const inputs = [
      ...inputsOf(mains, `${name}/main`),
      ...[...modules.keys()].flatMap((file) => inputsOf(threads, threadOf(name, file))),
      ...browser.flatMap((assets) => (carried.has(assets.folder) ? assets.inputs : [])),
    ];
    for (const input of ownOf(inputs)) read.add(input);
    for (const [to, from] of copied) {
      const isBuilt = builtFolders.has(from);
      if (!isBuilt) read.add(from);
      const contents = statSync(join(root, from)).isDirectory() ? filesBelow(root, from) : [from];
      if (contents.length === 0) throw new BuildFailed(`${from} is empty, and would be missing in dist/`);
      for (const file of contents) {
        if (!isBuilt) read.add(file);
        files.set(join('dist', name, to, relative(from, file)), readFileSync(join(root, file)));
      }
    }
    if (modules.has(PISCINA_WORKER)) files.set(`dist/${name}/${PISCINA_START.name}`, PISCINA_START.text);
    files.set(`dist/${name}/LICENSE`, readFileSync(join(root, 'LICENSE')));
    const natives = nativeModulesOf(root, inputs);
    for (const path of natives) files.set(`dist/${name}/${basename(path)}`, readFileSync(join(root, path)));
    const packages = findPackages([...inputs, ...natives]);
    files.set(`dist/${name}/THIRD-PARTY-LICENSES`, licencesOf(packages));
    files.set(`dist/${name}/bom.cdx.json`, billOfMaterials({ name, version }, packages));
  }
  for (const path of generated) read.delete(path);
  for (const input of [...read]) for (const file of packageFilesOf(input)) read.add(file);
  for (const file of ownFiles(root)) read.add(file);
  const inputs = marksOf(root, read, begunMs);
  writeOutputs(
    root,
    files,
    Object.keys(programs).map((name) => `dist/${name}`),
  );
  const outputs = marksOf(root, [
    ...files.keys(),
    ...generated,
    ...browser.flatMap((assets) => [...assets.files.keys()]),
  ]);
  const stamp = JSON.stringify({ programs, inputs, outputs });
  writeOutputs(root, new Map([[STAMP, stamp]]), []);
}

/** Bundles the programs, and finds the files that each needs next to it. Those that are modules are bundled too. */
async function compile(root: string, programs: Record<string, string>) {
  try {
    const mains = await bundle(root, {
      ...generatorOf(root),
      ...Object.fromEntries(Object.entries(programs).map(([name, main]) => [`${name}/main`, main])),
    });
    // Pages include what is generated, and programs include both beside their main.mjs.
    const generated = generate(root, mains);
    const browser = [await buildWeb(root), buildReference(root)];
    for (const { folder, files } of browser) if (files.size > 0) writeOutputs(root, files, [folder]);
    const parts = Object.keys(programs).map((name) => ({
      name,
      ...companionsOf(root, inputsOf(mains, `${name}/main`)),
    }));
    const entries = parts.flatMap(({ name, modules }) =>
      [...modules].map(([file, path]) => [threadOf(name, file), path] as const),
    );
    const threads = await bundle(root, Object.fromEntries(entries), { prefersModules: true });
    return { mains, threads, parts, browser, generated };
  } finally {
    await stopCompiler();
  }
}

const GENERATOR = 'packages/codegen/src/openapi/generate.ts';
const BUNDLE = 'dist/generate.mjs';
const BYTES_MAX = 64 * 1024 * 1024;

/** The program that derives files from the routes, to be bundled with the others. None if the repository has no routes. */
function generatorOf(root: string): Record<string, string> {
  return existsSync(join(root, GENERATOR)) ? { generate: GENERATOR } : {};
}

/** Writes what is derived from the routes, and returns the paths. @throws {BuildFailed} if the routes are wrong. */
function generate(root: string, { files }: Bundles): string[] {
  const program = files
    .map(({ path, contents }) => [relative(root, path), contents] as const)
    .filter(([path]) => path.startsWith(BUNDLE));
  if (program.length === 0) return [];
  writeOutputs(root, new Map(program), []);
  // A process of its own needs no loader of TypeScript, which would read all of it again.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', join(root, BUNDLE)],
    { encoding: 'utf8', maxBuffer: BYTES_MAX },
  );
  if (status !== 0) throw new BuildFailed(stderr);
  const generated = new Map(Object.entries(JSON.parse(stdout) as Record<string, string>)); // our own program
  writeOutputs(root, generated, []);
  return [...generated.keys()];
}

function threadOf(name: string, file: string): string {
  return `${name}/${file.replace(/\.mjs$/, '')}`;
}

function inputsOf({ outputs }: Bundles, name: string): string[] {
  return Object.keys(outputs[`dist/${name}.mjs`]?.inputs ?? {});
}

function ownOf(inputs: string[]): string[] {
  return inputs.filter((input) => !input.includes('node_modules/'));
}

function companionsOf(root: string, inputs: string[]): ReturnType<typeof dataFilesOf> {
  const found = dataFilesOf(
    root,
    ownOf(inputs).filter((input) => !IN_ITS_PLACE.test(input)),
  );
  const worker = piscinaWorkerOf(inputs, root);
  if (worker !== undefined) found.modules.set(PISCINA_WORKER, worker);
  return found;
}

/** The package.json that determines how the imports of a source are resolved. */
function packageFilesOf(source: string): string[] {
  const [kind = '', name = '', ...rest] = source.split('/');
  return rest.length > 0 ? [`${kind}/${name}/package.json`] : [];
}

/** The sources of the build itself, because changes to them may change its output. */
function ownFiles(root: string): string[] {
  const folder = fileURLToPath(new URL('./', import.meta.url));
  return filesBelow(root, relative(root, folder)).filter((path) => !path.endsWith('.test.ts'));
}

/** One of our modules that is loaded on demand: `await import('./open-telemetry.ts')`. */
const LOADED_LATER = /\bimport\('\.\/([\w-]+)\.ts'\)/g;

/** A file that a source reads from its own folder: `new URL('grants.sql', import.meta.url)`. */
const DATA_FILE = /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;

interface DataFiles {
  /** Files and folders to copy next to the bundle, by name. */
  copied: Map<string, string>;
  /** Modules that run on separate threads or are loaded on demand, to be bundled next to it. */
  modules: Map<string, string>;
}

/**
 * What sources read from their own folders: copied next to the bundle, where the same expression finds it.
 *
 * @throws {BuildFailed} for another form of `import.meta`, and for one name of different files.
 */
function dataFilesOf(root: string, sources: string[]): DataFiles {
  const found: DataFiles = { copied: new Map(), modules: new Map() };
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8');
    const names = [...text.matchAll(DATA_FILE)].map(([, name = '']) => name);
    if (names.length !== text.split('import.meta').length - 1) {
      throw new BuildFailed(`${source}: import.meta is for new URL('name', import.meta.url) alone`);
    }
    for (const name of names) put(found, root, { source, name });
    for (const [, name = ''] of text.matchAll(LOADED_LATER)) {
      keep(found.modules, `${name}.mjs`, join(dirname(source), `${name}.ts`));
    }
  }
  return found;
}

function put(found: DataFiles, root: string, { source, name }: { source: string; name: string }): void {
  const path = join(dirname(source), name).replace(/[\\/]$/, '');
  const file = basename(path);
  const isBeside = dirname(path) === dirname(source) && statSync(join(root, path), { throwIfNoEntry: false });
  if (!isBeside) throw new BuildFailed(`${source}: there is no ${name} beside it`);
  const kind = /^\.[mc]?[jt]s$/.test(extname(file)) ? found.modules : found.copied;
  keep(kind, file, path);
}

function keep(kind: Map<string, string>, file: string, path: string): void {
  const other = kind.get(file);
  if (other !== undefined && other !== path) throw new BuildFailed(`${other} and ${path} have one name`);
  kind.set(file, path);
}
