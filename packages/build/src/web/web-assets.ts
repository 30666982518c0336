import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import { BuildFailed, compiled } from '../bundle.ts';

export interface BrowserAssets {
  /** The output folder, next to the source that reads it. */
  folder: string;
  /** The file contents, by path from the root. */
  files: Map<string, string | Uint8Array>;
  /** The source files, as paths from the root. */
  inputs: string[];
}

const WEB_FOLDER = 'packages/web/src/built';

const PAGES = 'packages/web/src/pages/pages.tsx';
const PRERENDER = 'packages/web/src/pages/prerender.tsx';
const CONSOLE = 'packages/web/src/console/console.tsx';

/** The maximum transfer size of all scripts, and of all styles, of each app. */
export const BUDGETS = {
  pages: { js: 45 * 1024, css: 20 * 1024 },
  console: { js: 122 * 1024, css: 20 * 1024 },
};

/** The typeface of everything that browsers show: Inter, with the letters of Western languages and all weights. */
const FONT = 'packages/build/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Identifiers are not minified, so that class names are the same in both bundles.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Builds the account pages and the console: one script and one style each, under names that contain a hash of the
 * content, and the prerendered HTML of every page. Empty if the repository has no pages.
 *
 * @throws {BuildFailed} with the output of the compiler, or if a budget is exceeded.
 */
export async function buildWeb(root: string): Promise<BrowserAssets> {
  const files = new Map<string, string | Uint8Array>();
  if (!existsSync(join(root, PAGES))) return { folder: WEB_FOLDER, files, inputs: [] };
  const server = await compile(root, PRERENDER, { platform: 'node', minifyWhitespace: false });
  const { renderPages, renderIcon, renderLogo } = await load(server.text('.js'));
  const keep: Keep = (name, ending, contents) => {
    const file = hashed(name, ending, contents);
    files.set(`${WEB_FOLDER}/${file}`, contents);
    return file;
  };
  const icon = keep('icon', '.svg', renderIcon());
  const font = keep('inter', '.woff2', readFileSync(join(root, FONT)));
  const pages = await buildApp(root, { name: 'pages', entry: PAGES, font, keep });
  files.set(
    `${WEB_FOLDER}/pages.json`,
    JSON.stringify({ ...pages.names, icon, font, pages: renderPages(), logo: renderLogo() }),
  );
  const inputs = [FONT, ...pages.inputs, ...server.inputs];
  if (existsSync(join(root, CONSOLE))) {
    const built = await buildApp(root, { name: 'console', entry: CONSOLE, font, keep });
    files.set(`${WEB_FOLDER}/console.json`, JSON.stringify({ ...built.names, icon, font }));
    inputs.push(...built.inputs);
  }
  return { folder: WEB_FOLDER, files, inputs: [...new Set(inputs)] };
}

/** Keeps a file under a name that contains a hash of its content, and returns the name. */
type Keep = (name: string, ending: string, contents: string | Uint8Array) => string;

async function buildApp(
  root: string,
  { name, entry, font, keep }: { name: keyof typeof BUDGETS; entry: string; font: string; keep: Keep },
) {
  const browser = await compile(root, entry, { platform: 'browser' });
  const { transform } = await import('esbuild');
  const script = await transform(browser.text('.js'), { minify: true, format: 'esm', target: 'es2022' });
  const style = `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${font})}\n${browser.text('.css')}`;
  checkBudget(name, 'scripts', script.code, BUDGETS[name].js);
  checkBudget(name, 'styles', style, BUDGETS[name].css);
  const names = { script: keep(name, '.js', script.code), style: keep(name, '.css', style) };
  return { names, inputs: browser.inputs };
}

async function compile(
  root: string,
  entry: string,
  options: Pick<BuildOptions, 'platform' | 'minifyWhitespace'>,
) {
  const at = { absWorkingDir: root, entryPoints: [entry], outdir: 'web' };
  const { outputFiles, metafile } = await compiled({ ...OPTIONS, ...options, ...at });
  return {
    inputs: Object.keys(metafile.inputs),
    text: (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '',
  };
}

/** The exports of prerender.tsx. */
interface Prerender {
  renderPages: () => Record<string, { title: string; html: string }>;
  renderIcon: () => string;
  renderLogo: () => { drawn: string; own: string };
}

/** From a file, whose name and lines an error in a page then shows. */
async function load(code: string): Promise<Prerender> {
  const folder = mkdtempSync(join(tmpdir(), 'prerender-'));
  try {
    writeFileSync(join(folder, 'prerender.mjs'), code);
    return (await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Prerender; // bundled from prerender.tsx
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hashed(name: string, ending: string, contents: string | Uint8Array): string {
  return `${name}-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}${ending}`;
}

function checkBudget(app: string, what: string, text: string, most: number): void {
  const size = gzipSync(text).length;
  if (size > most) {
    throw new BuildFailed(
      `the ${what} of the ${app} weigh ${size} bytes compressed, more than ${most} (BUDGETS in packages/build/src/web/web-assets.ts)`,
    );
  }
}

const FOLDER = 'packages/http/src/openapi/reference';
const PAGE = 'packages/http/src/openapi/docs.ts';
const SCRIPT = 'packages/build/node_modules/@scalar/api-reference/dist/browser/standalone.js';

/** The script of the API reference as its authors ship it, and its typeface. Empty if there is no reference page. */
export function buildReference(root: string): BrowserAssets {
  if (!existsSync(join(root, PAGE))) return { folder: FOLDER, files: new Map(), inputs: [] };
  // Its last line refers to a source map, which is not served.
  const text = readFileSync(join(root, SCRIPT), 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const font = readFileSync(join(root, FONT));
  const files = new Map<string, string | Uint8Array>([
    [`${FOLDER}/${hashed('scalar', '.js', text)}`, text],
    [`${FOLDER}/${hashed('inter', '.woff2', font)}`, font],
  ]);
  return { folder: FOLDER, files, inputs: [SCRIPT, FONT] };
}
