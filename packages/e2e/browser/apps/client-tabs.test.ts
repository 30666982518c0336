import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { bundleForPage } from '@gatehouse/build';
import type { CDPSession, Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, otherSite } from '../testing/index.ts';

const TABS = 6;
const SECONDS = 40;
const LIFETIME_SECONDS = 5;
/** The longest time from one stream to the next: the token's lifetime, five seconds more, and the pause between them. */
const STREAM_MS_MAX = 20_000;

/** The window of the page of the app, in functions that run there. */
declare const window: Window & {
  auth: {
    login(credentials: object): Promise<{ kind: string }>;
    logout(): Promise<void>;
    token(): Promise<string>;
  };
  /** Its events, in order, with the time of each in epoch milliseconds. */
  told: { name: string; reason?: string; at: number }[];
  /** If true, the app makes no calls. */
  isIdle?: boolean;
  /** Unhandled promise rejections. */
  rejected: string[];
};

/** An app that uses gatehouse-client. */
const APP = `
  import { createClient } from 'gatehouse-client';
  import { useSession } from 'gatehouse-client/react';
  import { createRoot } from 'react-dom/client';

  const auth = createClient({ baseUrl: BASE_URL });
  const [told, rejected] = [[], []];
  addEventListener('unhandledrejection', ({ reason }) => rejected.push(String(reason)));
  for (const name of ['signed-in', 'ended', 'restricted', 'restored']) {
    auth.on(name, ({ reason }) => told.push({ name, reason, at: Date.now() }));
  }
  Object.assign(globalThis, { auth, told, rejected });
  // Its work: half the calls come as the page pleases.
  setInterval(() => globalThis.isIdle || auth.fetch(BASE_URL + '/ping/auth').catch(() => {}), 400 + Math.random() * 400);

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
  const { site, admin } = cast(() => ({
    CORS_ORIGINS: app.origin,
    ACCESS_TOKEN_SECONDS: String(LIFETIME_SECONDS),
  }));
  before(async () => {
    const source = `const BASE_URL = ${JSON.stringify(site.stack.facts.baseUrl)};\n${APP}`;
    const { first, chunks } = await bundleForPage(source, fileURLToPath(new URL('../../', import.meta.url)));
    files.set('/app.js', first);
    for (const [path, text] of chunks) files.set(path, text);
  });

  const stateOf = (page: Page) => page.locator('main p');
  const openTabs = async (): Promise<[Page, ...Page[]]> => {
    const first = await site.openPage({ isHostile: true });
    await first.goto(app.origin);
    const others: Page[] = [];
    while (others.length < TABS - 1) {
      const page = await first.context().newPage();
      await page.goto(app.origin);
      others.push(page);
    }
    return [first, ...others];
  };

  it('signs in and out in all tabs, refreshes once, and survives hidden, frozen and offline tabs', async () => {
    const tabs = await openTabs();
    const [first] = tabs;
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
    await Promise.all(
      tabs.map(async (page, place) => {
        const cdp = await page.context().newCDPSession(page);
        const disturbances = ['hide', 'freeze', 'offline'] as const;
        for (let turn = place; Date.now() - begunAt < SECONDS * 1000; turn += 1) {
          await page.waitForTimeout(500 + Math.random() * 2000);
          const disturbance = disturbances[turn % disturbances.length] ?? 'hide';
          await disturb(page, cdp, disturbance, 1000 + Math.random() * 5000);
        }
      }),
    );
    const lives = (Date.now() - begunAt) / 1000 / LIFETIME_SECONDS;
    for (const page of tabs) {
      assert.ok(await page.evaluate(() => window.auth.token()));
      const [told, rejected] = await page.evaluate(() => [window.told, window.rejected] as const);
      assert.deepEqual([told.map(({ name }) => name), rejected], [['signed-in'], []]);
    }
    // Tokens are renewed in the last sixth of their lifetime. One more is allowed for a tab that was frozen during its
    // request.
    const due = 1.2 * lives;
    assert.ok(refreshes <= due + 1, `${refreshes} refreshes where ${due.toFixed(1)} do`);

    await first.evaluate(() => window.auth.logout());
    for (const page of tabs) await stateOf(page).filter({ hasText: 'signed-out' }).waitFor();
  });

  it('notifies every tab within a second when an administrator ends the session', async () => {
    const tabs = await openTabs();
    const [first] = tabs;
    const email = await site.newAccount();
    await first.evaluate((given) => window.auth.login(given), { Username: email, Password: PASSWORD });
    for (const page of tabs) await stateOf(page).filter({ hasText: 'signed-in' }).waitFor();
    await first.reload();
    await stateOf(first).filter({ hasText: 'signed-in' }).waitFor();
    const { Email, Password } = site.stack.facts.admin;
    for (const page of tabs) await page.evaluate(() => (window.isIdle = true));
    const asked: string[] = [];
    first.context().on('request', (request) => asked.push(new URL(request.url()).pathname));
    // A stream ends five seconds after its token. The next one is opened although the app makes no calls.
    await first.context().waitForEvent('request', {
      predicate: (request) => request.url().endsWith('/session/stream'),
      timeout: STREAM_MS_MAX,
    });
    const { Token } = await site.login(Email, Password);
    const ended = { Filter: { Search: email }, Status: 'Deactivated' };
    const { status } = await admin.call('POST', '/admin/user-session', ended, Token);
    assert.equal(status, 200);
    const kickedAt = Date.now();
    for (const page of tabs) await stateOf(page).filter({ hasText: 'signed-out' }).waitFor();
    assert.ok(!asked.includes('/ping/auth') && !asked.includes('/account/ping'), asked.join(' '));
    for (const page of tabs) {
      const { name, reason, at = Infinity } = (await page.evaluate(() => window.told)).at(-1) ?? {};
      assert.deepEqual([name, reason], ['ended', 'deactivated']);
      assert.ok(at - kickedAt < 1000, `${at - kickedAt} ms`);
    }
  });
});

/** Disturbs a tab for a while: hides it, freezes it, or takes it offline. */
async function disturb(
  page: Page,
  cdp: CDPSession,
  what: 'hide' | 'freeze' | 'offline',
  forMs: number,
): Promise<void> {
  switch (what) {
    case 'hide':
      await setVisibility(page, 'hidden');
      await page.waitForTimeout(forMs);
      return setVisibility(page, 'visible');
    case 'freeze':
      await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
      await new Promise((resolve) => setTimeout(resolve, forMs));
      await cdp.send('Page.setWebLifecycleState', { state: 'active' });
      return;
    case 'offline': {
      const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', { offline: true, ...conditions });
      await new Promise((resolve) => setTimeout(resolve, forMs));
      await cdp.send('Network.emulateNetworkConditions', { offline: false, ...conditions });
    }
  }
}

/** All tabs of a headless browser are visible, so the event of a hidden tab is simulated. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
