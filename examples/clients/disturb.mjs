import { setTimeout as sleep } from 'node:timers/promises';

const KINDS = ['hide', 'freeze', 'offline'];
const NETWORK = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** Hides, freezes or disconnects a tab at random, as happens to real tabs, until `endsAt`. */
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

/** Makes the tab visible, running and online again. */
export async function settle(tab) {
  await set(tab, 'freeze', false);
  await set(tab, 'offline', false);
  await set(tab, 'hide', false);
}

async function set({ page, cdp }, kind, is) {
  switch (kind) {
    // A headless browser treats all its tabs as visible, so the page's state is overridden and the event is sent to it.
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
