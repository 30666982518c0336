import { findBinaries } from '@gatehouse/stack';
import { chromium, type Browser } from 'playwright-core';

/** The machine's Chromium, without a window (docs/decisions/0031-browser-tests.md). */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findBinaries().chromium;
  if (executablePath === undefined) throw new Error('Chromium is missing: npm run test:browser installs it');
  return chromium.launch({
    executablePath,
    // `--no-sandbox`: Chromium's own sandbox refuses root, as whom tests run in containers. What it opens here is our own.
    chromiumSandbox: false,
    // Names lead nowhere, so that nothing leaves this machine, whatever a page asks for.
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost',
    ],
  });
}
