import { ApiError } from '../errors.ts';

/** No route has as many parameters. */
export const QUERY_PAIRS_MAX = 50;
export const FORM_FIELDS_MAX = 20;

type Values = Record<string, string | string[]>;

/** A repeated name becomes a list, which no schema of one value accepts. @throws {ApiError} 400 for too many pairs. */
export function readQuery(text: string): object {
  // Without a prototype, so that no name means anything.
  const values = Object.create(null) as Values;
  for (const [name, value] of pairsOf(text, QUERY_PAIRS_MAX, 'query')) {
    const earlier = values[name];
    if (earlier === undefined) values[name] = value;
    else if (typeof earlier === 'string') values[name] = [earlier, value];
    else earlier.push(value);
  }
  return values;
}

/** A field without a value counts as left out (RFC 6749 §3.2). @throws {ApiError} 400 for one twice, and too many. */
export function readFields(text: string): object {
  const fields = [...pairsOf(text, FORM_FIELDS_MAX, 'body')];
  const form = new Map(fields);
  if (form.size < fields.length) throw new ApiError('invalid_request', 'The request body has a field twice');
  return Object.fromEntries([...form].filter(([, value]) => value !== ''));
}

/** The pairs, also empty ones, are counted before any of them is decoded: a request line of 16 KiB has thousands. */
function pairsOf(text: string, pairsMax: number, place: 'query' | 'body'): URLSearchParams {
  let pairs = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    pairs += 1;
    if (pairs > pairsMax)
      throw new ApiError('invalid_request', `The ${place} must not have more than ${pairsMax} parameters`);
  }
  return new URLSearchParams(text);
}
