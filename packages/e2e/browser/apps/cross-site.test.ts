import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { signIn, startSite, type Site } from '../testing/index.ts';

/** Requests that a page of another site may try. `API` is replaced by the URL of the API. */
const HOSTILE_PAGE = `<!doctype html><title>hostile</title><body>
  <img src="API/account/session"><iframe name="hidden"></iframe>
  <form method="post" enctype="text/plain" target="hidden" action="API/account/logout">
    <input name='{"a":"' value='"}'></form>
  <script>
    document.forms[0].submit();
    const tries = ['POST API/account/logout', 'POST API/account/two-factor', 'GET API/account/profile'];
    Promise.allSettled(tries.map((line) => {
      const [method, address] = line.split(' ');
      return fetch(address, { method, mode: 'no-cors', credentials: 'include', ...(method === 'POST' && { body: '{}' }) });
    }).concat(fetch('API/account/profile', { method: 'PUT', credentials: 'include',
      headers: { 'content-type': 'application/json' }, body: '{"DisplayName":"Eve"}' })))
      .then(() => setTimeout(() => (document.title = 'done'), 500));
  </script></body>`;

describe('pages of other sites in the browser of a signed-in user', function () {
  this.timeout(120_000);
  let site: Site;
  let server: Server;
  let port: number;
  before(async () => {
    site = await startSite();
    server = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(HOSTILE_PAGE.replaceAll('API', site.origin)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port; // the server listens on a port
  });
  afterEach(() => site.closePages());
  after(async () => {
    server.close();
    await site.stop();
  });

  /**
   * The site's responses to the other page: 401 if the browser sent no cookie, 403 if it did. `blocked`: the browser does
   * not even show it the response (`Cross-Origin-Resource-Policy`).
   */
  const attack = async (page: Page, address: string) => {
    const answers: string[] = [];
    const other = await page.context().newPage();
    other.on('response', (response) => {
      const method = response.request().method();
      if (response.url().startsWith(site.origin)) answers.push(`${method} ${response.status()}`);
    });
    other.on('requestfailed', (request) => {
      const isBlocked = request.failure()?.errorText.includes('BLOCKED_BY_RESPONSE') === true;
      if (isBlocked && request.url().startsWith(site.origin)) answers.push(`${request.method()} blocked`);
    });
    await other.goto(address);
    await other.waitForFunction(() => document.title === 'done');
    await other.close();
    return answers;
  };

  for (const [who, host] of [
    ['another site', 'evil.localhost'],
    ['another origin of the same site, to which browsers send the cookie', 'localhost'],
  ] as const) {
    it(`change nothing: ${who}`, async () => {
      const page = await site.openPage({ isHostile: true });
      await signIn(page, await site.newAccount());
      const seen = await attack(page, `http://${host}:${port}/`);
      assert.ok(seen.length >= 3, seen.join());
      const refusal = host === 'localhost' ? '403' : '401';
      for (const line of seen) assert.match(line, new RegExp(`^OPTIONS |^[A-Z]+ (${refusal}|blocked)$`));
      await page.reload();
      await page.getByLabel('Name').waitFor();
      assert.equal(await page.getByLabel('Name').inputValue(), '');
    });
  }
});
