import { connectDb, query } from '@gatehouse/db';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import type { Look } from './looks.ts';
import type { Site } from './site.ts';

/** The console of a site, as administrators use it. */
export interface TestConsole {
  /** `/console` and what is below it. */
  url: (path?: string) => string;
  /** A new administrator. */
  newAdmin(): Promise<Admin>;
  /** Calls Admin with the token of the administrator whom the stack began with. */
  call(method: string, path: string, body?: unknown): Promise<Called>;
  /** As if the last proof of who this administrator is were six minutes old. */
  forgetConfirmation(accountId: string): Promise<void>;
  /** Leaves the account with the other ways to sign in that it has. */
  removePassword(accountId: string): Promise<void>;
  /** An empty page that may ask Admin's address. */
  openPage(look?: Partial<Look>): Promise<Page>;
  /** `openLook` of a site, which may ask Admin's address too. */
  openLook(look: Look): Promise<Page>;
  /**
   * A page of the console, `/accounts` and so on, signed in as a new administrator; for a look, that of `openLook`, signed
   * in once.
   */
  open(path?: string, look?: Look): Promise<{ page: Page; admin: Admin }>;
}

interface Admin {
  id: string;
  email: string;
}

interface Called {
  status: number;
  body: Record<string, unknown>;
}

/** Lets a test use a site's console. */
export async function openTestConsole(site: Site): Promise<TestConsole> {
  const { adminUrl, consoleUrl, idpUrl, admin: first } = site.stack.facts;
  // The demo provider draws the faces of the demo data.
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
  const openPage = (look: Partial<Look> = {}): Promise<Page> => site.openPage({ ...look, origins });
  const openLook = (look: Look): Promise<Page> => site.openLook(look, origins);
  const signedIn = new Map<Look['locale'], Admin>();
  const open = async (path = '', look?: Look) => {
    const known = look && signedIn.get(look.locale);
    const admin = known ?? (await newAdmin());
    const page = await (look ? openLook(look) : openPage());
    await page.goto(url(path));
    if (!known) await fillConsoleSignIn(page, admin.email);
    await barOf(page).waitFor({ state: 'attached' });
    if (look) signedIn.set(look.locale, admin);
    return { page, admin };
  };
  const change = async (sql: string, accountId: string): Promise<void> => {
    const db = connectDb({ url: site.stack.facts.databaseUrl, applicationName: 'console', poolMax: 1 });
    await query(db, sql, [accountId]);
    await db.destroy();
  };
  const forgetConfirmation = (accountId: string): Promise<void> =>
    change(
      `update user_session set confirmed_at = now() - interval '6 minutes' where account_id = ?`,
      accountId,
    );
  const removePassword = (accountId: string): Promise<void> =>
    change('update account set password_hash = null, password_scheme = null where id = ?', accountId);
  return { url, newAdmin, call, forgetConfirmation, removePassword, openPage, openLook, open };
}

/** Fills in the sign-in of the console that is open, and sends it. */
export async function fillConsoleSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=Username]').fill(email);
  await page.locator('input[name=Password]').fill(password);
  await page.locator('button[type=submit]:not([disabled])').click();
}

/** The bar on the left, which only who is signed in sees. */
export function barOf(page: Page): Locator {
  return page.getByRole('navigation', { name: /Main navigation|Hauptnavigation/, includeHidden: true });
}
