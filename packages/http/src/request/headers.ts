/** Headers as Node writes them fastest: `name, value, name, value`. */
export type HeaderList = readonly string[];

/**
 * What every answer says: it is what it says that it is, it is nobody else's to keep, and a browser that shows
 * it runs nothing of it and tells nobody where it came from.
 */
export const STANDING_HEADERS: HeaderList = [
  ...['Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Referrer-Policy', 'no-referrer'],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** Headers by their names; of several values each makes a header of its own, as `Set-Cookie` wants it. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Adds headers, whose names count without regard to case, in the place of earlier ones of the same name. */
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

/** The lengths tell nearly all apart. */
function isSameName(one: string, other: string): boolean {
  return one.length === other.length && one.toLowerCase() === other.toLowerCase();
}
