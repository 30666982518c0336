import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundleForPage } from '@gatehouse/build';
import type { CDPSession, Page } from 'playwright-core';

/** An app that uses @gatehouse/client, at an origin of its own. */
export interface TestApp {
  origin: string;
  /** Whose address it needs to begin with. */
  serve(baseUrl: string): Promise<void>;
  stop(): Promise<void>;
}

/** What the app's page has for tests. */
export interface AppWindow {
  auth: {
    login(credentials: object): Promise<{ kind: string }>;
    logout(): Promise<void>;
    ping(): Promise<void>;
    token(): Promise<string>;
  };
  /** What its events told, in their order. */
  told: { name: string; reason?: string }[];
  /** Promises that nobody caught. */
  rejected: string[];
}

const APP = `
  import { createClient } from '@gatehouse/client';
  import { useSession } from '@gatehouse/client/react';
  import { createRoot } from 'react-dom/client';

  const auth = createClient({ baseUrl: BASE_URL });
  const [told, rejected] = [[], []];
  addEventListener('unhandledrejection', ({ reason }) => rejected.push(String(reason)));
  for (const name of ['signed-in', 'ended', 'restricted', 'restored']) {
    auth.on(name, ({ reason }) => told.push({ name, reason }));
  }
  Object.assign(globalThis, { auth, told, rejected });
  // Its work: half the calls come as the page pleases.
  setInterval(() => void auth.fetch(BASE_URL + '/ping/auth').catch(() => {}), 400 + Math.random() * 400);

  function State() {
    return <p>{useSession(auth).kind}</p>;
  }
  createRoot(document.querySelector('main')).render(<State />);
`;

/** Listens at once, as the system has to know its origin, and shows its page from `serve` on. */
export async function startTestApp(): Promise<TestApp> {
  const files = new Map<string, string>([
    ['/', '<!doctype html><main></main><script type="module" src="/app.js"></script>'],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const text = files.get(url);
    const type = url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of a server that listens
    serve: async (baseUrl) => {
      const source = `const BASE_URL = ${JSON.stringify(baseUrl)};\n${APP}`;
      const { first, chunks } = await bundleForPage(
        source,
        fileURLToPath(new URL('../../', import.meta.url)),
      );
      files.set('/app.js', first);
      for (const [path, text] of chunks) files.set(path, text);
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Does to a tab what happens to tabs, for a while: it is hidden, frozen, or without a network. */
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

/** A browser without a window shows all of its tabs: what a hidden one hears is said to it. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
