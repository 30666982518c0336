import { PAGE_HEADERS } from './page-headers.ts';

/** What browsers are told of the console: as of every page, and that it sends no form and may show faces from elsewhere. */
export function consoleHeaders(faceImageOrigins: readonly string[]): Record<string, string> {
  const policy = PAGE_HEADERS['Content-Security-Policy']
    .replace("img-src 'self'", ["img-src 'self'", ...faceImageOrigins].join(' '))
    .replace("form-action 'self'", "form-action 'none'");
  return { ...PAGE_HEADERS, 'Content-Security-Policy': policy };
}
