import { mediaTypeOf, NDJSON, type Route } from '@gatehouse/http';

/** A place in a request where a value can be replaced. */
export interface OddPlace {
  part: 'body' | 'query' | 'path';
  /** The path to it; a number is an index of an array. */
  keys: readonly (string | number)[];
}

export interface RightRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The part of JSON Schema that our schemas use for text. */
interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every place that the schemas of a route name, and one that none names. */
export function oddPlaces({ body, query, path }: Route<never>): OddPlace[] {
  return [
    ...(body === undefined
      ? []
      : [...keyPathsIn(body), ['Unasked']].map((keys) => ({ part: 'body' as const, keys }))),
    ...[...Object.keys(query?.properties ?? {}), 'unasked'].map((name) => ({
      part: 'query' as const,
      keys: [name],
    })),
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({ part: 'path' as const, keys: [name] })),
  ];
}

function* keyPathsIn(schema: Schema, keys: OddPlace['keys'] = []): Generator<OddPlace['keys']> {
  if (keys.length > 0) yield keys;
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* keyPathsIn(inner, [...keys, name]);
  if (schema.items !== undefined) yield* keyPathsIn(schema.items, [...keys, 0]);
  for (const one of schema.anyOf ?? []) if (one.properties !== undefined) yield* keyPathsIn(one, keys);
}

/**
 * The request with this JSON text in that place. A query or a path contains the decoded value instead. URLs cannot
 * contain lone surrogates, so these are sent as the bytes of their encoding.
 */
export function withOdd(
  route: Route<never>,
  right: RightRequest,
  { part, keys }: OddPlace,
  json: string,
): RightRequest {
  if (part === 'body') {
    const text = JSON.stringify(placed(right.body, keys)).replace(`"${MARK}"`, () => json);
    return { ...right, body: mediaTypeOf(route.body) === NDJSON ? `${text}\n` : text };
  }
  const value: unknown = JSON.parse(json);
  const encoded = percentEncoded(typeof value === 'string' ? value : json).slice(0, 12_000);
  if (part === 'query') {
    const mark = right.path.includes('?') ? '&' : '?';
    return { ...right, path: `${right.path}${mark}${keys.join()}=${encoded}` };
  }
  const at = route.path.split('/').indexOf(`:${keys.join()}`);
  const [path = '', query] = right.path.split('?');
  const segments = path.split('/').map((segment, index) => (index === at ? encoded : segment));
  return { ...right, path: `${segments.join('/')}${query === undefined ? '' : `?${query}`}` };
}

const MARK = '~here~';

function placed(into: unknown, keys: OddPlace['keys']): unknown {
  const [first, ...rest] = keys;
  if (first === undefined) return MARK;
  if (typeof first === 'number') return [placed(Array.isArray(into) ? into[first] : undefined, rest)];
  const fields = typeof into === 'object' && into !== null && !Array.isArray(into) ? into : {};
  return { ...fields, [first]: placed((fields as Record<string, unknown>)[first], rest) };
}

function percentEncoded(text: string): string {
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(sign);
    return `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`;
  }).join('');
}
