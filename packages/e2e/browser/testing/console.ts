import { connectDb, query } from '@gatehouse/db';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import type { Layout } from './layouts.ts';
import type { Site } from './site.ts';

/** The console of a site, with helpers for administrators. */
export interface TestConsole {
  /** `/console` or a path below it. */
  url: (path?: string) => string;
  /** Creates an administrator. */
  newAdmin(): Promise<Admin>;
  /** Calls Admin with the token of the stack's first administrator. */
  call(method: string, path: string, body?: unknown): Promise<Called>;
  /** Sets the administrator's last authentication to six minutes ago. */
  forgetConfirmation(accountId: string): Promise<void>;
  /** Removes the password, so that the account can only use its other sign-in methods. */
  removePassword(accountId: string): Promise<void>;
  /** An empty page that may send requests to Admin's URL. */
  openPage(layout?: Partial<Layout>): Promise<Page>;
  /** A page of the console (`/accounts` and so on) that is signed in as a new administrator. */
  open(path?: string, layout?: Layout): Promise<{ page: Page; admin: Admin }>;
}

interface Admin {
  id: string;
  email: string;
}

interface Called {
  status: number;
  body: Record<string, unknown>;
}

/** Opens the console of a site for a test. */
export async function openTestConsole(site: Site): Promise<TestConsole> {
  const { adminUrl, consoleUrl, idpUrl, admin: first } = site.stack.facts;
  // The demo provider serves the faces of the demo data.
  const origins = [consoleUrl, adminUrl, ...(idpUrl === undefined ? [] : [idpUrl])].map(
    (url) => new URL(url).origin,
  );
  const { Token } = await site.login(first.Email, first.Password);
  const call = async (method: string, path: string, body?: unknown): Promise<Called> => {
    const answer = await fetch(`${adminUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${Token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Called['body']) };
  };
  const newAdmin = async (): Promise<Admin> => {
    const email = site.someEmail();
    const wanted = { Email: email, Password: PASSWORD, Role: 'Admin' };
    const { status, body } = await call('POST', '/admin/account', wanted);
    if (status !== 201) throw new Error(`a new administrator: ${status}`);
    return { id: String(body['Id']), email };
  };
  const url = (path = ''): string => `${consoleUrl}${path}`;
  const openPage = (layout: Partial<Layout> = {}): Promise<Page> => site.openPage({ ...layout, origins });
  const open = async (path = '', layout?: Layout) => {
    const admin = await newAdmin();
    const page = await openPage(layout);
    await signInToConsole(page, url(), admin.email);
    await page.goto(url(path));
    await barOf(page).waitFor({ state: 'attached' });
    return { page, admin };
  };
  const change = async (sql: string, accountId: string): Promise<void> => {
    const db = connectDb({ url: site.stack.facts.databaseUrl, applicationName: 'console', poolMax: 1 });
    await query(db, sql, [accountId]);
    await db.destroy();
  };
  const forgetConfirmation = (accountId: string): Promise<void> =>
    change(
      `with aged as (
         update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ? returning id
       )
       delete from session_confirmation where session_id in (select id from aged)`,
      accountId,
    );
  const removePassword = (accountId: string): Promise<void> =>
    change('update account set password_hash = null, password_scheme = null where id = ?', accountId);
  return { url, newAdmin, call, forgetConfirmation, removePassword, openPage, open };
}

/** Gives the page's window the cookie of a session, without the sign-in form. */
async function signInToConsole(page: Page, consoleUrl: string, email: string): Promise<void> {
  const data = { Username: email, Password: PASSWORD };
  const answer = await page.request.post(`${consoleUrl}/session`, { data });
  if (!answer.ok()) throw new Error(`signing in to the console: ${answer.status()}`);
}

/** Fills in and submits the sign-in form of the console. */
export async function fillConsoleSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=Username]').fill(email);
  await page.locator('input[name=Password]').fill(password);
  await page.locator('button[type=submit]:not([disabled])').click();
}

/** Adds a filter to a list; its field has the focus then. */
export async function addFilter(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
}

/** The bar on the left, which is only shown to signed-in users. */
export function barOf(page: Page): Locator {
  return page.getByRole('navigation', { name: /Main navigation|Hauptnavigation/, includeHidden: true });
}
