import { setTimeout as sleep } from 'node:timers/promises';

const KINDS = ['hide', 'freeze', 'offline'];
const NETWORK = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Does to a tab what happens to tabs, at random, until `endsAt`. */
export async function disturb(tab, endsAt) {
  await tab.cdp.send('Network.enable');
  while (Date.now() < endsAt) {
    await sleep(500 + Math.random() * 4000);
    const kind = KINDS[Math.floor(Math.random() * KINDS.length)];
    await set(tab, kind, true);
    await sleep(1000 + Math.random() * 7000);
    await set(tab, kind, false);
  }
}

/** The tab is seen, runs and has a network. */
export async function settle(tab) {
  await set(tab, 'freeze', false);
  await set(tab, 'offline', false);
  await set(tab, 'hide', false);
}

async function set({ page, cdp }, kind, is) {
  switch (kind) {
    // A browser without a window shows all of its tabs: what a hidden one hears is said to it.
    case 'hide':
      return page.evaluate(
        (value) => {
          Object.defineProperty(document, 'visibilityState', { value, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        },
        is ? 'hidden' : 'visible',
      );
    case 'freeze':
      return cdp.send('Page.setWebLifecycleState', { state: is ? 'frozen' : 'active' });
    case 'offline':
      return cdp.send('Network.emulateNetworkConditions', { offline: is, ...NETWORK });
  }
}
