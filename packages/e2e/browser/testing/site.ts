import { readFile } from 'node:fs/promises';
import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { findBinaries, type StackFile } from '@gatehouse/dev';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { client, startWorld, type Client } from '../../src/testing/index.ts';
import { HEIGHTS, type Layout } from './layouts.ts';
import { people } from './people.ts';
import { fillLogin, signIn } from './on-pages.ts';
import { tabOnly } from './tab-only.ts';

export type Site = Awaited<ReturnType<typeof startSite>>;

interface PageOptions extends Partial<Layout> {
  /** Enables passkey autofill: each login page requests a challenge, of which the address of all tests has 20 a minute. */
  fillsInPasskeys?: boolean;
  /** Behaves like a browser that was never offered a passkey, at the first login by password. */
  isOfferedPasskeys?: boolean;
  /** The window also opens hostile pages, so that it need not be quiet. */
  isHostile?: boolean;
}

const LANGUAGES = { en: 'en-GB', de: 'de-DE' };
const WAIT_MS = 30_000;

/**
 * Opens the system that the test files of this worker share: a test creates its own accounts on it, and changes
 * nothing that others see. With `settings`, even empty ones, it starts a separate system whose services get them.
 * `demo`: filled with demo data.
 */
export async function startSite(
  settings?: Record<string, string>,
  { demo = false }: { demo?: boolean } = {},
) {
  const { browser, leave } = await useChromium();
  const start = (): Promise<Served> =>
    settings === undefined ? sharedWorld() : startWorld(settings, { demo });
  const world = await start().catch((error: unknown) => {
    leave();
    throw error;
  });
  /** Of the pages, with the host name that mails use. */
  const origin = world.stack.facts.pagesUrl;
  const windows: { context: BrowserContext; isHostile: boolean; expectQuiet: () => Promise<void> }[] = [];

  /** An empty page in a new window, without cookies. */
  const openPage = async (options: PageOptions = {}): Promise<Page> => {
    const { theme = 'light', locale = 'en', width = 1280 } = options;
    const { isHostile = false, fillsInPasskeys = false, isOfferedPasskeys = false } = options;
    const context = await browser.newContext({
      baseURL: origin,
      colorScheme: theme,
      locale: LANGUAGES[locale],
      viewport: { width, height: HEIGHTS[width] },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(WAIT_MS);
    windows.push({ context, isHostile, expectQuiet: await watch(context) });
    if (!fillsInPasskeys) await context.addInitScript(withoutPasskeyAutofill);
    if (!isOfferedPasskeys) await context.addInitScript(offeredPasskeysAt, origin);
    return context.newPage();
  };
  const openAt = async (url: string, options?: PageOptions): Promise<Page> => {
    const page = await openPage(options);
    await page.goto(url);
    return page;
  };
  /** Submits the login page, or another one that asks for a login. */
  const openAndLogIn = async (email: string, url = '/login', options?: PageOptions): Promise<Page> => {
    const page = await openAt(url, options);
    await fillLogin(page, email);
    return page;
  };
  const openByKeyboard = async (url: string) => {
    const page = await openPage();
    const keyboard = await tabOnly(page);
    await page.goto(url);
    return { page, keyboard };
  };
  /** A page that is signed in to a new account, of the language if one is given. */
  const signedIn = async (options?: PageOptions) => {
    const email = await world.newAccount();
    if (options?.locale !== undefined) {
      const { Token } = await world.login(email);
      await world.call('PUT', '/account/profile', { Locale: options.locale }, Token);
    }
    const page = await openPage(options);
    await signIn(page, email);
    return { page, email };
  };
  /** Closes all windows. Fails if one was not quiet (`watch`). Called after each test. */
  const closePages = async (): Promise<void> => {
    const open = windows.splice(0);
    try {
      for (const { isHostile, expectQuiet } of open) if (!isHostile) await expectQuiet();
    } finally {
      for (const { context } of open) await context.close();
    }
  };
  const stop = () => world.stop().finally(leave);
  const opening = { openPage, openAt, openAndLogIn, openByKeyboard, signedIn };
  return { ...world, ...people(world.stack, world), ...opening, origin, closePages, stop };
}

type Served = Client & { stack: { readonly facts: StackFile }; stop: () => Promise<void> };

/** The system that `npm test` has started, and will stop. */
async function sharedWorld(): Promise<Served> {
  const { TEST_STACK_FILE } = readConfig(Type.Object({ TEST_STACK_FILE: Type.String() }));
  const facts = JSON.parse(await readFile(TEST_STACK_FILE, 'utf8')) as StackFile; // written by `startStack`
  const stack = { facts };
  return { stack, ...client(stack), stop: () => Promise.resolve() };
}

/** Turns off passkey autofill. Runs in the browser. */
function withoutPasskeyAutofill(): void {
  if ('PublicKeyCredential' in globalThis)
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
}

/** Pretends that a passkey was offered a moment ago. Runs in the browser. */
function offeredPasskeysAt(pages: string): void {
  if (origin === pages) localStorage.setItem('passkey-offered-at', String(Date.now()));
}

/** How long Chromium waits for the next test file. */
const LINGER_MS = 2000;

let shared: { browser: Browser; users: number; closing?: NodeJS.Timeout } | undefined;

/** One Chromium for the test files of this process, closed when the last user has left and no other comes. */
async function useChromium(): Promise<{ browser: Browser; leave: () => void }> {
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

/**
 * Chromium logs this for every response with status 400 or higher, including refusals of our API, and for a stream that
 * ended because a test stopped its service.
 */
const REFUSED =
  /^Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_INCOMPLETE_CHUNKED_ENCODING$)/;

/**
 * Watches every page of the context from its first document on. What it returns fails if one violated the
 * Content-Security-Policy, requested something from another host (Chromium finds none), or logged errors or warnings.
 */
async function watch(context: BrowserContext): Promise<() => Promise<void>> {
  const complaints: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    if (/^(error|warning)$/.test(message.type()) && !REFUSED.test(text))
      complaints.push(`${text} (${message.location().url})`);
  });
  context.on('weberror', (failure) => complaints.push(String(failure.error())));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      throw new Error(`CSP report: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return async () => {
    // Events that happened before these evaluations have arrived by the time they resolve.
    await Promise.all(context.pages().map((page) => page.evaluate('0')));
    if (complaints.length > 0) throw new Error(`The pages were not quiet:\n${complaints.join('\n')}`);
  };
}
