import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** The file that the browser gets when something is pressed. */
export async function downloaded(page: Page, press: () => Promise<unknown>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}
