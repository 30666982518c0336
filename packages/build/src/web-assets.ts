import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildOptions, Metafile } from 'esbuild';
import type { BrowserAssets } from './browser-assets.ts';
import { BuildFailed } from './bundle.ts';

const WEB_FOLDER = 'packages/web/src/built';

const PAGES = 'packages/web/src/pages/pages.tsx';
const PRERENDER = 'packages/web/src/pages/prerender.tsx';

/** What all scripts, and all styles, of the pages may weigh on their way to a browser. */
const BUDGETS = { js: 40 * 1024, css: 20 * 1024 };

const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Names of classes stay as they are written, so that both bundles have the same.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Builds the account pages: one script and one style under names that hold a hash of their content, and the text of every
 * page as it is before the script runs. Nothing where the repository has no pages.
 *
 * @throws {BuildFailed} with the compiler's words, or where a budget is exceeded.
 */
export async function buildWeb(root: string): Promise<BrowserAssets> {
  const files = new Map<string, string>();
  if (!existsSync(join(root, PAGES))) return { folder: WEB_FOLDER, files, inputs: [] };
  const browser = await compile(root, PAGES, { platform: 'browser' });
  const server = await compile(root, PRERENDER, { platform: 'node' });
  const { transform } = await import('esbuild');
  const script = await transform(browser.text('.js'), { minify: true, format: 'esm', target: 'es2022' });
  const style = browser.text('.css');
  checkBudget('scripts', script.code, BUDGETS.js);
  checkBudget('styles', style, BUDGETS.css);
  const { renderPages, renderIcon, renderLogo } = await load(server.text('.js'));
  const assets = {
    script: hashed('pages', '.js', script.code),
    style: hashed('pages', '.css', style),
    icon: hashed('icon', '.svg', renderIcon()),
  };
  const texts = { script: script.code, style, icon: renderIcon() };
  for (const [kind, name] of Object.entries(assets)) {
    files.set(`${WEB_FOLDER}/${name}`, texts[kind as keyof typeof texts]); // the same keys
  }
  files.set(
    `${WEB_FOLDER}/pages.json`,
    JSON.stringify({ ...assets, pages: renderPages(), logo: renderLogo() }),
  );
  return { folder: WEB_FOLDER, files, inputs: [...new Set([...browser.inputs, ...server.inputs])] };
}

async function compile(root: string, entry: string, options: BuildOptions) {
  const { build, formatMessages } = await import('esbuild');
  const result = await build({
    ...OPTIONS,
    ...options,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'web',
  }).catch(async ({ errors }: Awaited<ReturnType<typeof build>>) => {
    throw new BuildFailed((await formatMessages(errors, { kind: 'error' })).join(''));
  });
  if (result.warnings.length > 0) {
    throw new BuildFailed((await formatMessages(result.warnings, { kind: 'warning' })).join(''));
  }
  const { outputFiles = [], metafile } = result;
  return {
    inputs: Object.keys((metafile as Metafile).inputs), // asked for above
    text: (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '',
  };
}

/** What prerender.tsx exports. */
interface Prerender {
  renderPages: () => Record<string, { title: string; html: string }>;
  renderIcon: () => string;
  renderLogo: () => { drawn: string; own: string };
}

async function load(code: string): Promise<Prerender> {
  const address = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  return (await import(address)) as Prerender; // bundled from it
}

function hashed(name: string, ending: string, text: string): string {
  return `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}${ending}`;
}

function checkBudget(what: string, text: string, most: number): void {
  const size = gzipSync(text).length;
  if (size > most) {
    throw new BuildFailed(
      `the pages' ${what} weigh ${size} bytes compressed, more than ${most} (${basename(WEB_FOLDER)})`,
    );
  }
}
