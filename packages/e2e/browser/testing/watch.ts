import type { BrowserContext } from 'playwright-core';

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
export async function watch(context: BrowserContext): Promise<() => Promise<void>> {
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
