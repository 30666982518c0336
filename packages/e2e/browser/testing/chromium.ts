import { findBinaries } from '@gatehouse/stack';
import { chromium, type Browser } from 'playwright-core';

/** Starts the Chromium of this machine without a window (docs/decisions/0031-browser-tests.md). */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findBinaries().chromium;
  if (executablePath === undefined) throw new Error('Chromium is missing: npm run test:browser installs it');
  return chromium.launch({
    executablePath,
    // `--no-sandbox`: Chromium's sandbox does not work for root, as which tests run in containers. The browser only
    // opens our own pages.
    chromiumSandbox: false,
    // Host names are not resolved, so that no request leaves this machine.
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
    ],
  });
}
