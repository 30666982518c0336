import type { Locator, Page } from 'playwright-core';

/** The row of an account page with this subject. */
export function rowOf(page: Page, subject: string | RegExp): Locator {
  return page.getByRole('region', { name: subject, exact: true });
}

/** Presses the button of a row, which opens its form. */
export async function openRow(page: Page, subject: string | RegExp): Promise<Locator> {
  const row = rowOf(page, subject);
  await row.getByRole('button').first().click();
  return row;
}
