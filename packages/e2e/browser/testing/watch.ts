import type { BrowserContext, Page } from 'playwright-core';

/** What no page may do, as it was noticed while its context was open. */
export interface Watch {
  /** Violations of the Content-Security-Policy, as the page's own events and as Chromium tells them. */
  cspReports: string[];
  /** Requests to other origins. */
  foreignRequests: string[];
  /** Exceptions that nobody caught, and other errors and warnings on the console. */
  complaints: string[];
}

const watches = new WeakMap<BrowserContext, Watch>();
const CSP = /content security policy|trusted ?types?|csp report/i;
/** Chromium says so of every answer from 400 on, such as the API's own refusals. */
const REFUSED = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** Watches every page of the context from its first document on. `origins`: whom they may ask. */
export async function watch(context: BrowserContext, origins: readonly string[]): Promise<Watch> {
  const seen: Watch = { cspReports: [], foreignRequests: [], complaints: [] };
  watches.set(context, seen);
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !origins.includes(origin)) {
      seen.foreignRequests.push(`${request.method()} ${request.url()}`);
    }
  });
  context.on('console', (message) => {
    const text = message.text();
    if (CSP.test(text)) seen.cspReports.push(text);
    else if (/^(error|warning)$/.test(message.type()) && !REFUSED.test(text)) seen.complaints.push(text);
  });
  context.on('weberror', (failure) => seen.complaints.push(String(failure.error())));
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      // eslint-disable-next-line no-console -- what a page says on its console is what the test can hear
      console.error(`CSP report: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return seen;
}

/** Violations of the Content-Security-Policy on this page, and on others of its context, until now. */
export async function collectCspReports(page: Page): Promise<readonly string[]> {
  return (await noticed(page.context())).cspReports;
}

/**
 * Fails when a page of the context broke the Content-Security-Policy, asked another origin for anything, or wrote errors on
 * the console.
 */
export async function expectQuiet(context: BrowserContext): Promise<void> {
  const { cspReports, foreignRequests, complaints } = await noticed(context);
  // Said once: the context may go on.
  const found = [
    ...cspReports.splice(0),
    ...foreignRequests.splice(0).map((request) => `a request to another origin: ${request}`),
    ...complaints.splice(0),
  ];
  if (found.length > 0) throw new Error(`The pages were not quiet:\n${found.join('\n')}`);
}

async function noticed(context: BrowserContext): Promise<Watch> {
  const seen = watches.get(context);
  if (seen === undefined) throw new Error('this context is not watched: open the page with openPage');
  // Events that happened before these answers have arrived before them.
  await Promise.all(context.pages().map((page) => page.evaluate('0')));
  return seen;
}
