import { readFile } from 'node:fs/promises';
import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import type { Stack, StackFile } from '@gatehouse/stack';
import type { BrowserContext, Page } from 'playwright-core';
import { client, startWorld, type Client } from '../../src/testing/index.ts';
import { launchChromium } from './chromium.ts';
import type { Look } from './looks.ts';
import { expectQuiet, watch } from './watch.ts';

/** The whole system behind its gateway, and a browser in front of it. */
export interface Site extends Client {
  stack: { readonly facts: StackFile };
  /** Where the pages are, by the name that mails lead to. */
  origin: string;
  /** An empty page of somebody who was never here, in a window of their own. */
  openPage(options?: PageOptions): Promise<Page>;
  /**
   * The page of all looks in that language, as wide and in the colours that this one has, empty, with the cookies of
   * the looks before it: a window of its own for each look would take three times as long.
   */
  openLook(look: Look, origins?: readonly string[]): Promise<Page>;
  /** Closes all but the pages of looks; fails when one was not quiet (`expectQuiet`). After each test. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** One that a test has for itself, and may harm. */
export interface OwnSite extends Site {
  stack: Stack;
}

interface PageOptions extends Partial<Look> {
  javaScript?: boolean;
  /** It asks for a challenge whenever somebody fills in a login; an address is given twenty in a minute, and all tests have one. */
  fillsInPasskeys?: boolean;
  /** It was never offered a passkey, and is at the first login by password. */
  isOfferedPasskeys?: boolean;
  /** Where else its pages may ask, such as at an identity provider. */
  origins?: readonly string[];
  /** It opens pages of others too, who do what they like: nobody asks whether they were quiet. */
  isHostile?: boolean;
}

const HEIGHTS = { 320: 640, 768: 1024, 1280: 800 };
const LANGUAGES = { en: 'en-GB', de: 'de-DE' };
const WAIT_MS = 10_000;

/**
 * Opens the system that the test files of this worker share: a test makes accounts of its own on it, and changes nothing
 * that others see. With `settings`, even none, starts one for the caller alone, whose services they reach; `demo`: filled
 * with an invented installation.
 */
export async function startSite(): Promise<Site>;
export async function startSite(
  settings: Record<string, string>,
  options?: { demo: boolean },
): Promise<OwnSite>;
export async function startSite(
  settings?: Record<string, string>,
  { demo = false }: { demo?: boolean } = {},
): Promise<Site> {
  const browser = await launchChromium();
  const world = await (settings === undefined ? sharedWorld() : startWorld(settings, { demo })).catch(
    async (error: unknown) => {
      await browser.close();
      throw error;
    },
  );
  const origin = world.stack.facts.pagesUrl;
  const contexts: { context: BrowserContext; isHostile: boolean }[] = [];

  const openPage = async (options: PageOptions = {}): Promise<Page> => {
    const { theme = 'light', locale = 'en', width = 1280, javaScript = true, origins = [] } = options;
    const { isHostile = false, fillsInPasskeys = false, isOfferedPasskeys = false } = options;
    const context = await browser.newContext({
      baseURL: origin,
      colorScheme: theme,
      locale: LANGUAGES[locale],
      viewport: { width, height: HEIGHTS[width] },
      javaScriptEnabled: javaScript,
      reducedMotion: 'reduce',
    });
    contexts.push({ context, isHostile });
    context.setDefaultTimeout(WAIT_MS);
    await watch(context, [origin, ...origins]);
    if (!fillsInPasskeys) await context.addInitScript(withoutPasskeyAutofill);
    if (!isOfferedPasskeys) await context.addInitScript(offeredPasskeysAt, origin);
    return context.newPage();
  };
  const looks = new Map<Look['locale'], Page>();
  const openLook = async (look: Look, origins: readonly string[] = []): Promise<Page> => {
    const page = looks.get(look.locale) ?? (await openPage({ ...look, origins }));
    looks.set(look.locale, page);
    await page.goto('about:blank');
    await page.emulateMedia({ colorScheme: look.theme ?? 'light' });
    await page.setViewportSize({ width: look.width, height: HEIGHTS[look.width] });
    return page;
  };
  const closePages = async (): Promise<void> => {
    const open = contexts.splice(0);
    const kept = new Set([...looks.values()].map((page) => page.context()));
    contexts.push(...open.filter(({ context }) => kept.has(context)));
    try {
      for (const { context, isHostile } of open) if (!isHostile) await expectQuiet(context);
    } finally {
      for (const { context } of open) if (!kept.has(context)) await context.close();
    }
  };
  const stop = async (): Promise<void> => {
    await browser.close();
    await world.stop();
  };
  return { ...world, origin, openPage, openLook, closePages, stop };
}

/** Which `npm test` started, and stops. */
async function sharedWorld() {
  const { TEST_STACK_FILE } = readConfig(Type.Object({ TEST_STACK_FILE: Type.String() }));
  const facts = JSON.parse(await readFile(TEST_STACK_FILE, 'utf8')) as StackFile; // written by `startStack`
  const stack = { facts };
  return { stack, ...client(stack), stop: () => Promise.resolve() };
}

/** Makes a browser one that fills in no passkeys; runs there. */
function withoutPasskeyAutofill(): void {
  if ('PublicKeyCredential' in globalThis)
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
}

/** Makes a browser one that was offered a passkey a moment ago; runs there. */
function offeredPasskeysAt(pages: string): void {
  if (origin === pages) localStorage.setItem('passkey-offered-at', String(Date.now()));
}
