import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testFolder } from '@gatehouse/runtime/testing';
import type { Page } from 'playwright-core';
import { writeClient } from '../../src/examples/write-client.ts';
import { cast, otherSite, PASSWORD, submit } from '../testing/index.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/single-page-app/', import.meta.url));
const TYPES: Record<string, string> = { '.mjs': 'text/javascript', '.js': 'text/javascript' };

describe('the example of a single-page app', () => {
  const folder = testFolder();
  const app = otherSite(({ url = '/' }, response) => {
    const file = url === '/' ? '/index.html' : url;
    readFile(join(folder, file)).then(
      (text) => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/html' }).end(text),
      () => response.writeHead(404).end(),
    );
  });
  const { site } = cast(() => ({ CORS_ORIGINS: app.url }));
  before(async () => {
    await cp(EXAMPLE, folder, { recursive: true });
    await writeClient(join(folder, 'client/dist'));
    const page = await readFile(join(EXAMPLE, 'index.html'), 'utf8');
    const { baseUrl } = site.stack.facts;
    await writeFile(join(folder, 'index.html'), page.replaceAll('http://127.0.0.1:8080', baseUrl));
  });

  const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
    await page.goto(app.url);
    await submit(page, { Email: email, Password: password }, 'Sign in');
  };

  it('says that a password is wrong, shows in all tabs who is signed in, leads to their pages, and signs out in all', async () => {
    const email = await site.newAccount();
    const first = await site.openPage({ isHostile: true });
    await signIn(first, email, 'a wrong password');
    await first.getByText('That was not right.').waitFor();
    assert.equal(await first.getByLabel('Password').inputValue(), '');
    assert.equal(await first.getByLabel('Email').inputValue(), email);
    await signIn(first, email);
    await first.getByText(email).waitFor();
    const second = await first.context().newPage();
    await second.goto(app.url);
    await second.getByText(email).waitFor();
    await first.reload();
    await first.getByText(email).waitFor();
    await first.getByRole('button', { name: 'Password and security' }).click();
    await first.getByRole('button', { name: /^Continue/ }).click();
    await first.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    assert.equal(first.url(), `${site.origin}/profile/security`);
    await first.goto(app.url);
    await first.getByText(email).waitFor();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.getByText('Good-bye.').waitFor();
    await first.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    assert.equal(await first.getByText(email).isVisible(), false);
  });
});
