import { findBinaries } from '@gatehouse/dev';
import { chromium, type Browser } from 'playwright-core';

/** How long Chromium waits for the next test file. */
const LINGER_MS = 2000;

let shared: { browser: Browser; users: number; closing?: NodeJS.Timeout } | undefined;

/** One Chromium for the test files of this process, closed when the last user has left and no other comes. */
export async function useChromium(): Promise<{ browser: Browser; leave: () => void }> {
  if (shared?.browser.isConnected() !== true) shared = { browser: await launch(), users: 0 };
  const own = shared;
  clearTimeout(own.closing);
  own.users += 1;
  const close = (): void => {
    if (shared === own) shared = undefined;
    void own.browser.close();
  };
  const leave = (): void => {
    own.users -= 1;
    if (own.users === 0) own.closing = setTimeout(close, LINGER_MS);
  };
  return { browser: own.browser, leave };
}

async function launch(): Promise<Browser> {
  const executablePath = findBinaries().chromium;
  if (executablePath === undefined) throw new Error('Chromium is missing: npm run test:browser installs it');
  return chromium.launch({
    executablePath,
    // `--no-sandbox`: Chromium's sandbox does not work for root, as which tests run in containers. The browser only
    // opens our own pages.
    chromiumSandbox: false,
    args: [
      // Host names are not resolved, so that no request leaves this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
      // Pages live for seconds, in which optimizing their code costs more processor time than it saves.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
}
