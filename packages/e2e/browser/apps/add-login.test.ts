import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packPackage } from '@gatehouse/build';
import { freePorts } from '@gatehouse/dev';
import { during, eventually, testFolder } from '@gatehouse/runtime/testing';
import { blocksIn, readPage } from '../../src/documents/documents.ts';
import { runProgram } from '../../src/testing/run-program.ts';
import { cast, PASSWORD, submit } from '../testing/index.ts';

/** Where `gatehouse-verify` has its only dependency. */
const PACKAGES = fileURLToPath(new URL('../../../verify/node_modules/', import.meta.url));
const run = promisify(execFile);

describe('docs/add-login.md', function () {
  this.timeout(120_000);
  const { site } = cast({});
  const folder = testFolder();
  const blocks = (language: string): string[] => blocksIn(readPage('docs/add-login.md'), language);
  const app = during(async () => {
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
    const origin = `http://127.0.0.1:${port}`;
    const login = JSON.stringify({ Username: admin.Email, Password: admin.Password });
    const settings = { ADMIN_LOGIN: login, GATEHOUSE: baseUrl, PORT: String(port) };
    const script = `${local(commands)}\nexec "${process.execPath}" server.mjs`;
    const { stop } = runProgram('bash', ['-euc', script], { settings, cwd: folder });
    await eventually(async () => (await fetch(origin).catch(() => undefined))?.ok === true, 20);
    return { origin, stop };
  });

  it('leads to an API that knows who calls, and to a page whose session ends as elsewhere', async () => {
    assert.equal((await fetch(`${app.origin}/api/things`)).status, 401);
    const email = await site.newAccount();
    const page = await site.openAt(app.origin, { isHostile: true });
    await submit(page, { Email: email, Password: PASSWORD }, 'Sign in');
    await page.getByText(/^The API knows you: [0-9a-f-]{36}$/).waitFor();
    await site.login(email);
    await page.getByText('Your session has ended: replaced').waitFor();
  });
});
