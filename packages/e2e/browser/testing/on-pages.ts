import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';

/** Signs in on the login page, in either language, and waits until it is done. */
export async function signIn(page: Page, email: string): Promise<void> {
  await logIn(page, email);
  // In another language than the account's the page loads once more, which would end what is opened next.
  await page.waitForURL(/\/profile(\?locale=\w+)?$/);
  await page.getByText(/^(Language|Sprache)$/).waitFor();
}

/** Opens the login page, or another one that asks for a login, and submits it. */
export async function logIn(page: Page, email: string, path = '/login'): Promise<void> {
  await page.goto(path);
  await fillLogin(page, email);
}

/** Fills in and submits the form of a login that is open, of the account pages or of the console. */
export async function fillLogin(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=Username]').fill(email);
  await page.locator('input[name=Password]').fill(password);
  await page.locator('button[type=submit]:not([disabled])').click();
}

/** Fills in fields of a form, by their labels, and presses its button. */
export async function submit(form: Page | Locator, fields: Record<string, string>, button: string) {
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: button, exact: true }).click();
}

/** Presses the button of the demo provider, and answers it. */
export async function signOnWith(
  page: Page,
  email: string,
  button: string | RegExp = /Continue with|Weiter mit/,
): Promise<void> {
  await page.locator('button', { hasText: button }).click();
  await page.locator('input[name=login]').fill(email);
  await page.locator('[type=submit]').click();
}

/** The row of an account page with this subject. */
export function rowOf(page: Page, subject: string | RegExp): Locator {
  return page.getByRole('region', { name: subject, exact: true });
}

/** Opens a row, of the page that is open or of that at this path. */
export async function openRow(page: Page, subject: string | RegExp, path?: string): Promise<Locator> {
  if (path !== undefined) await page.goto(path);
  const row = rowOf(page, subject);
  await row.getByRole('button').first().click();
  return row;
}

/** The file that a page offers when something is pressed. */
export async function downloaded(page: Page, press: () => Promise<unknown>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}
