import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { bundleForPage } from '@gatehouse/build';
import type { CDPSession, Page } from 'playwright-core';
import { cast, otherSite, PASSWORD } from '../testing/index.ts';

const TABS = 6;
const SECONDS = 40;
const LIFETIME_SECONDS = 5;
/** Hides, freezes and disconnects tabs. A module of an example, which has no types. */
const DISTURB = new URL('../../../../examples/clients/disturb.mjs', import.meta.url).href;

interface Disturbance {
  disturb(tab: { page: Page; cdp: CDPSession }, endsAt: number): Promise<void>;
}

/** The window of the page of the app, in functions that run there. */
declare const window: Window & {
  auth: {
    login(credentials: object): Promise<{ kind: string }>;
    logout(): Promise<void>;
    token(): Promise<string>;
  };
  /** The names of its events, in order. */
  told: string[];
  rejected: string[];
};

const APP = `
  import { createClient } from 'gatehouse-client';
  import { useSession } from 'gatehouse-client/react';
  import { createRoot } from 'react-dom/client';

  const auth = createClient({ baseUrl: BASE_URL });
  const [told, rejected] = [[], []];
  addEventListener('unhandledrejection', ({ reason }) => rejected.push(String(reason)));
  for (const name of ['signed-in', 'ended', 'restricted', 'restored']) auth.on(name, () => told.push(name));
  Object.assign(globalThis, { auth, told, rejected });
  // Its work: half the calls come as the page pleases.
  setInterval(() => auth.fetch(BASE_URL + '/ping/auth').catch(() => {}), 400 + Math.random() * 400);

  function State() {
    return <p>{useSession(auth).kind}</p>;
  }
  createRoot(document.querySelector('main')).render(<State />);
`;

describe('gatehouse-client in several tabs', () => {
  const files = new Map([['/', '<!doctype html><main></main><script type="module" src="/app.js"></script>']]);
  const app = otherSite(({ url = '' }, response) => {
    const text = files.get(url);
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  });
  const { site } = cast(() => ({
    CORS_ORIGINS: app.url,
    ACCESS_TOKEN_SECONDS: String(LIFETIME_SECONDS),
  }));
  before(async () => {
    const source = `const BASE_URL = ${JSON.stringify(site.stack.facts.baseUrl)};\n${APP}`;
    const { first, chunks } = await bundleForPage(source, fileURLToPath(new URL('../../', import.meta.url)));
    files.set('/app.js', first);
    for (const [path, text] of chunks) files.set(path, text);
  });

  const stateOf = (page: Page) => page.locator('main p');

  it('signs in and out in all tabs, refreshes once, and survives hidden, frozen and offline tabs', async () => {
    const first = await site.openAt(app.url, { isHostile: true });
    const tabs = [first];
    while (tabs.length < TABS) {
      const page = await first.context().newPage();
      await page.goto(app.url);
      tabs.push(page);
    }
    let refreshes = 0;
    // Only refreshes that succeed: those of an offline tab fail.
    first.context().on('response', (response) => {
      const isRefresh = response.request().method() === 'POST' && response.url().endsWith('/refresh-token');
      if (isRefresh && response.ok()) refreshes += 1;
    });
    await stateOf(first).filter({ hasText: 'signed-out' }).waitFor();
    const credentials = { Username: await site.newAccount(), Password: PASSWORD };
    await first.evaluate((given) => window.auth.login(given), credentials);
    for (const page of tabs) await stateOf(page).filter({ hasText: 'signed-in' }).waitFor();

    const begunAt = Date.now();
    const { disturb } = (await import(DISTURB)) as Disturbance;
    const disturbed = tabs.map(async (page) => {
      const cdp = await page.context().newCDPSession(page);
      return disturb({ page, cdp }, begunAt + SECONDS * 1000);
    });
    await Promise.all(disturbed);
    const lives = (Date.now() - begunAt) / 1000 / LIFETIME_SECONDS;
    for (const page of tabs) {
      assert.ok(await page.evaluate(() => window.auth.token()));
      const [told, rejected] = await page.evaluate(() => [window.told, window.rejected] as const);
      assert.deepEqual([told, rejected], [['signed-in'], []]);
    }
    // Tokens are renewed in the last sixth of their lifetime. One more is allowed for a tab that was frozen during its
    // request.
    const due = 1.2 * lives;
    assert.ok(refreshes <= due + 1, `${refreshes} refreshes where ${due.toFixed(1)} do`);

    await first.evaluate(() => window.auth.logout());
    for (const page of tabs) await stateOf(page).filter({ hasText: 'signed-out' }).waitFor();
  });
});
