import type { Locator, Page } from 'playwright-core';
import { callAt, PASSWORD, type Answer } from '../../src/testing/index.ts';
import type { Layout } from './layouts.ts';
import type { Site } from './site.ts';
import { tabOnly } from './tab-only.ts';

export type TestConsole = Awaited<ReturnType<typeof openTestConsole>>;

export interface Person {
  id: string;
  email: string;
}

export async function openTestConsole(site: Site) {
  const { adminUrl, consoleUrl, admin: first } = site.stack.facts;
  const { Token } = await site.login(first.Email, first.Password);
  /** Calls Admin with the token of the stack's first administrator, or with this one. */
  const call = (method: string, path: string, body?: unknown, token = Token) =>
    callAt(adminUrl, method, path, { body, token });
  const create = async (path: string, wanted: object): Promise<{ id: string; body: Answer['body'] }> => {
    const { status, body, text } = await call('POST', path, wanted);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return { id: String(body['Id']), body };
  };
  const get = async (path: string) => (await call('GET', path)).body;
  /** The rows of a list; what they have is in public-openapi.json. */
  const items = async <Row extends object>(path: string) => (await get(path))['Items'] as Row[];
  const idOf = async (email: string): Promise<string> => {
    const [found] = await items<{ Id: string }>(`/admin/account?email=${encodeURIComponent(email)}`);
    if (found === undefined) throw new Error(`${email} has no account`);
    return found.Id;
  };
  const newUser = async (): Promise<Person> => {
    const email = await site.newAccount();
    return { id: await idOf(email), email };
  };
  const newContent = async (Name: string, more: object = {}): Promise<string> => {
    const { id } = await create('/admin/content-definition', { Name, Kind: 'Document', ...more });
    return id;
  };
  const newAdmin = async (): Promise<Person> => {
    const email = site.someEmail();
    const { id } = await create('/admin/account', { Email: email, Password: PASSWORD, Role: 'Admin' });
    return { id, email };
  };
  const url = (path = ''): string => `${consoleUrl}${path}`;
  const openOn = async (page: Page, path: string) => {
    const admin = await newAdmin();
    await signInToConsole(page, url(), admin.email);
    await page.goto(url(path));
    await barOf(page).waitFor({ state: 'attached' });
    return { page, dialog: page.getByRole('dialog'), admin };
  };
  /** A page of the console (`/accounts` and so on) that is signed in as a new administrator, and any dialog on it. */
  const open = async (path = '', layout?: Layout) => openOn(await site.openPage(layout), path);
  const openByKeyboard = async (path = '') => {
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    return { keyboard, ...(await openOn(page, path)) };
  };
  const removePassword = async (accountId: string): Promise<void> => {
    await site.sql('update account set password_hash = null, password_scheme = null where id = ?', [
      accountId,
    ]);
  };
  const people = { newAdmin, newUser, idOf, removePassword };
  return { url, ...people, newContent, call, get, items, create, open, openByKeyboard };
}

/** Gives the page's window the cookie of a session, without the sign-in form. */
async function signInToConsole(page: Page, consoleUrl: string, email: string): Promise<void> {
  const data = { Username: email, Password: PASSWORD };
  const answer = await page.request.post(`${consoleUrl}/session`, { data });
  if (!answer.ok()) throw new Error(`signing in to the console: ${answer.status()}`);
}

/** Makes the account of the page an administrator, until the dialog that asks for a proof, which it returns. */
export async function promote(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await confirmed(page, 'Make an administrator');
  return page.getByRole('dialog', { name: 'Confirm that it is you' });
}

export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
}

/** Presses a button, and that with the same name in the dialog that it opens. */
export async function confirmed(page: Page, name: string, button = page.getByRole('button', { name })) {
  await button.click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
}

/** Adds a filter to a list; its field has the focus then. */
export async function addFilter(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
}

/** Gives the field for files, of which the page has one, a file with this text. */
export async function chooseFile(page: Page, name: string, text: string | Buffer): Promise<void> {
  const mimeType = name.endsWith('.json') ? 'application/json' : 'text/csv';
  await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
}

/** The bar on the left, which is only shown to signed-in users. */
export function barOf(page: Page): Locator {
  return page.getByRole('navigation', { name: /Main navigation|Hauptnavigation/, includeHidden: true });
}
