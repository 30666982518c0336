/** Headers in the form that Node writes fastest: `name, value, name, value`. */
export type HeaderList = readonly string[];

/**
 * The headers of every response: it is not cached, its type is not guessed, a browser that shows it runs no script and
 * sends no referrer, and pages of other origins cannot embed it. Requests by CORS are not concerned.
 */
export const STANDING_HEADERS: HeaderList = [
  ...['Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** Browsers then use TLS for a year, also for an address that is typed without its scheme (RFC 6797). */
export function transportHeaders(publicUrl = ''): HeaderList {
  return publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
}

/** Headers by name. Each of several values becomes a separate header, as `Set-Cookie` requires. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Adds headers, replacing those of the same name; names are compared case-insensitively. */
export function withHeaders(standing: HeaderList, more: Headers): string[] {
  const names = Object.keys(more);
  const all: string[] = [];
  for (let at = 0; at + 1 < standing.length; at += 2) {
    const [name = '', value = ''] = [standing[at], standing[at + 1]];
    if (!names.some((other) => isSameName(name, other))) all.push(name, value);
  }
  for (const name of names) {
    const value = more[name] ?? [];
    if (typeof value === 'string') all.push(name, value);
    else for (const one of value) all.push(name, one);
  }
  return all;
}

function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
