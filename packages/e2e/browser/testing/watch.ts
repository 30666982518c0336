import type { BrowserContext, Page } from 'playwright-core';

/** Forbidden actions of pages that were observed while their context was open. */
export interface Watch {
  /** Violations of the Content-Security-Policy, reported by events of the page and by Chromium. */
  cspReports: string[];
  /** Requests to other origins. */
  foreignRequests: string[];
  /** Uncaught exceptions, and other errors and warnings on the console. */
  complaints: string[];
}

const watches = new WeakMap<BrowserContext, Watch>();
const CSP = /content security policy|trusted ?types?|csp report/i;
/**
 * Chromium logs this for every response with status 400 or higher, including refusals of our API, and for a stream that
 * ended because a test stopped its service.
 */
const REFUSED =
  /^Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_INCOMPLETE_CHUNKED_ENCODING$)/;

/** Watches every page of the context from its first document on. `origins`: other origins that are allowed. */
export async function watch(context: BrowserContext, origins: readonly string[]): Promise<Watch> {
  const seen: Watch = { cspReports: [], foreignRequests: [], complaints: [] };
  watches.set(context, seen);
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !origins.includes(origin))
      seen.foreignRequests.push(`${request.method()} ${request.url()}`);
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

/** The violations of the Content-Security-Policy so far, on this page and on others of its context. */
export async function collectCspReports(page: Page): Promise<readonly string[]> {
  return (await noticed(page.context())).cspReports;
}

/**
 * Fails if a page of the context violated the Content-Security-Policy, sent a request to another origin, or logged
 * errors on the console.
 */
export async function expectQuiet(context: BrowserContext): Promise<void> {
  const { cspReports, foreignRequests, complaints } = await noticed(context);
  // Each finding is reported once. The context can be used further.
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
  // Events that happened before these evaluations have arrived by the time they resolve.
  await Promise.all(context.pages().map((page) => page.evaluate('0')));
  return seen;
}
