import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';

/** Signs in on the login page, in either language, and waits until it is done. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await fillLogin(page, email, password);
  await page.waitForURL('**/profile');
  // In another language than the account's the page loads once more, which would end what is opened next.
  await page.getByText(/^(Language|Sprache)$/).waitFor();
}

/** Fills in and submits the login page that is open. */
export async function fillLogin(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=Username]').fill(email);
  await page.locator('input[name=Password]').fill(password);
  await page.locator('button[type=submit]:not([disabled])').click();
}
