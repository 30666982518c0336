import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BUDGETS, buildWeb } from './web-assets.ts';

const PAGES = 'packages/web/src/pages/pages.tsx';
const CONSOLE = 'packages/web/src/console/console.tsx';
const STYLE = 'packages/web/src/pages/page.module.css';
const FONT = 'packages/build/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const FILES: Record<string, string> = {
  [FONT]: 'wOF2',
  [PAGES]: `import styles from './page.module.css';\ndocument.body.className = styles['page'];\n`,
  [STYLE]: '.page { color: red; }\n',
  'packages/web/src/pages/prerender.tsx': `import styles from './page.module.css';
export const renderPages = () => ({ '/login': { title: 't', html: styles['page'] } });
export const renderIcon = () => '<svg/>';
export const renderLogo = () => ({ drawn: 'a', own: 'b' });
`,
};

describe('what is built for browsers', () => {
  let root: string;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const build = async (): Promise<Map<string, string>> => {
    const { files } = await buildWeb(root);
    return new Map([...files].map(([path, contents]) => [basename(path), String(contents)]));
  };
  const nameOf = (files: Map<string, string>, ending: string): string =>
    [...files.keys()].find((name) => name.endsWith(ending)) ?? '';
  const fails = (message: RegExp) => assert.rejects(buildWeb(root), { name: 'BuildFailed', message });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'web-build-'));
    for (const [path, text] of Object.entries(FILES)) put(path, text);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('has names that change with the content, and only then', async () => {
    const [first, again] = [await build(), await build()];
    assert.deepEqual(again, first);
    assert.match(nameOf(first, '.js'), /^pages-[0-9a-f]{16}\.js$/);
    put(STYLE, '.page { color: blue; }\n');
    put(FONT, 'wOF3');
    const changed = await build();
    assert.notEqual(nameOf(changed, '.css'), nameOf(first, '.css'));
    assert.equal(nameOf(changed, '.js'), nameOf(first, '.js'));
    assert.notEqual(nameOf(changed, '.woff2'), nameOf(first, '.woff2'));
  });

  it('calls a class by one name in the style, in the script and in the text of the page', async () => {
    const files = await build();
    const { pages } = JSON.parse(files.get('pages.json') ?? '');
    const name = pages['/login'].html;
    assert.match(files.get(nameOf(files, '.css')) ?? '', new RegExp(`\\.${name}\\{`));
    assert.match(files.get(nameOf(files, '.js')) ?? '', new RegExp(`"${name}"`));
  });

  it('says which file and line is at fault', async () => {
    put(PAGES, 'const = 1;\n');
    await fails(/packages\/web\/src\/pages\/pages\.tsx:1:6/);
  });

  it('is refused once it weighs more than its budget', async () => {
    put(PAGES, `document.title = '${randomBytes(46 * 1024).toString('base64')}';\n`);
    await fails(/scripts of the pages weigh \d+ bytes compressed, more than 46080/);
    put(PAGES, FILES[PAGES] ?? '');
    put(STYLE, `.page { --x: '${randomBytes(21 * 1024).toString('base64')}'; }\n`);
    await fails(/styles of the pages weigh \d+ bytes compressed, more than 20480/);
  });

  it('holds the console to a budget of its own', async () => {
    put(CONSOLE, `document.title = '${randomBytes(80 * 1024).toString('base64')}';\n`);
    const { script } = JSON.parse((await build()).get('console.json') ?? '');
    assert.match(script, /^console-[0-9a-f]{16}\.js$/);
    put(CONSOLE, `document.title = '${randomBytes(BUDGETS.console.js).toString('base64')}';\n`);
    await fails(/scripts of the console weigh \d+ bytes compressed, more than \d+/);
  });

  it('is empty without pages', async () => {
    rmSync(join(root, PAGES));
    assert.equal((await build()).size, 0);
  });
});
