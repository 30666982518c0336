/** Headers in the form that Node writes fastest: `name, value, name, value`. */
export type HeaderList = readonly string[];

/**
 * The headers of every answer: its type is what it says, nobody stores it, and a browser that shows it runs nothing
 * of it and sends no referrer.
 */
export const STANDING_HEADERS: HeaderList = [
  ...['Cache-Control', 'no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Referrer-Policy', 'no-referrer'],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** Headers by name; each of several values becomes a header of its own, as `Set-Cookie` needs it. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Adds headers in place of earlier ones of the same name, compared without regard to case. */
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
