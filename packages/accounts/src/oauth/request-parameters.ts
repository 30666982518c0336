/** The parameters of an OAuth request; those without a value are left out (RFC 6749 §3.1). */
export interface Parameters {
  values: ReadonlyMap<string, string>;
  /** Names that occur twice, which they must not, with a value or without. */
  repeated: ReadonlySet<string>;
}

const PAIRS_MAX = 50;

/** Reads a query string; `undefined` if it has too many parameters, or text that cannot be stored. */
export function readParameters(query: string): Parameters | undefined {
  if (query.split('&', PAIRS_MAX + 1).length > PAIRS_MAX) return undefined;
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (value.includes('\0')) return undefined;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return { values, repeated };
}
