import { fileURLToPath } from 'node:url';
import { bundleForPage } from '@gatehouse/build';
import type { CDPSession, Page } from 'playwright-core';
import { otherSite } from './other-site.ts';

/** What the page of the app provides for tests. */
export interface AppWindow {
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
}

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

/** An app that uses gatehouse-client, at an origin of its own. `serve` builds it with the URL of the API. */
export function testApp() {
  const files = new Map<string, string>([
    ['/', '<!doctype html><main></main><script type="module" src="/app.js"></script>'],
  ]);
  const server = otherSite(({ url = '' }, response) => {
    const text = files.get(url);
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  });
  const serve = async (baseUrl: string): Promise<void> => {
    const source = `const BASE_URL = ${JSON.stringify(baseUrl)};\n${APP}`;
    const { first, chunks } = await bundleForPage(source, fileURLToPath(new URL('../../', import.meta.url)));
    files.set('/app.js', first);
    for (const [path, text] of chunks) files.set(path, text);
  };
  return Object.assign(server, { serve });
}

/** Disturbs a tab for a while: hides it, freezes it, or takes it offline. */
export async function disturb(
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
