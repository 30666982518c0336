import assert from 'node:assert/strict';
import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packPackage } from '@gatehouse/build';
import { freePorts } from '@gatehouse/dev';
import { eventually } from '@gatehouse/runtime/testing';
import { readPage } from '../../src/documents/documents.ts';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast } from '../testing/index.ts';

/** Where `gatehouse-verify` has its only dependency. */
const PACKAGES = fileURLToPath(new URL('../../../verify/node_modules/', import.meta.url));
const run = promisify(execFile);

describe('docs/add-login.md', () => {
  const { site } = cast({});
  let folder: string;
  let api: ChildProcess;
  let origin: string;
  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(await realpath(tmpdir()), 'gatehouse-add-login-'));
    const { baseUrl, adminUrl, admin } = site.stack.facts;
    // npm would have to reach its registry for `jose`.
    for (const name of ['client', 'verify']) {
      const own = join(folder, 'node_modules', `gatehouse-${name}`);
      await mkdir(own, { recursive: true });
      await run('tar', ['-xzf', await packPackage(name, folder), '-C', own, '--strip-components=1']);
    }
    await symlink(join(PACKAGES, 'jose'), join(folder, 'node_modules/jose'));
    const local = (text: string): string =>
      text.replaceAll('http://127.0.0.1:8080', baseUrl).replaceAll('http://127.0.0.1:8090', adminUrl);
    const [server = '', page = ''] = blocks('js');
    await writeFile(join(folder, 'server.mjs'), server);
    await writeFile(join(folder, 'page.mjs'), page);
    await writeFile(join(folder, 'page.html'), local(blocks('html')[0] ?? ''));
    const commands = blocks('sh').find((block) => block.includes('ADMIN_LOGIN')) ?? '';
    const { app: port } = await freePorts();
    origin = `http://127.0.0.1:${port}`;
    const login = JSON.stringify({ Username: admin.Email, Password: admin.Password });
    // `env` extends the environment of this process.
    const settings = [`ADMIN_LOGIN=${login}`, `GATEHOUSE=${baseUrl}`, `PORT=${port}`];
    const script = `${local(commands)}\nexec "${process.execPath}" server.mjs`;
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    api = spawn('env', [...settings, 'bash', '-euc', script], { cwd: folder, stdio: [...stdio] });
    await eventually(async () => (await fetch(origin).catch(() => undefined))?.ok === true, 20);
  });
  after(async () => {
    const ended = once(api, 'exit');
    if (api.kill('SIGTERM')) await ended;
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to an API that knows who calls, and to a page whose session ends as elsewhere', async () => {
    assert.equal((await fetch(`${origin}/api/things`)).status, 401);
    const email = await site.newAccount();
    const page = await site.openPage({ isHostile: true });
    await page.goto(origin);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^The API knows you: [0-9a-f-]{36}$/).waitFor();
    await site.login(email);
    await page.getByText('Your session has ended: replaced').waitFor();
  });
});

/** The page's blocks of code in a language, in their order. */
function blocks(language: string): string[] {
  const fence = '```';
  const pattern = new RegExp(`^${fence}${language}\n([^]*?)^${fence}`, 'gm');
  return [...readPage('docs/add-login.md').matchAll(pattern)].map(([, text = '']) => text);
}
