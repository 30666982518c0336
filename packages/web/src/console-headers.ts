import { PAGE_HEADERS } from './page-headers.ts';

/**
 * The headers of the console: those of every page, except that the console submits no forms, and may show images of
 * faces from other origins.
 */
export function consoleHeaders(faceImageOrigins: readonly string[]): Record<string, string> {
  const policy = PAGE_HEADERS['Content-Security-Policy']
    .replace("img-src 'self'", ["img-src 'self'", ...faceImageOrigins].join(' '))
    .replace("form-action 'self'", "form-action 'none'");
  return { ...PAGE_HEADERS, 'Content-Security-Policy': policy };
}
