import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

/** The number of headers that a request may have; together they may have 16 KiB. */
export const HEADERS_MAX = 100;

/**
 * What is wrong with a request’s headers: too many, no host, or two values where one is read. Node would use the
 * first of these and ignore the other, and a proxy before us may use the other one. (Node itself refuses two lengths
 * of a body.)
 */
export function faultOfHead(message: IncomingMessage): ApiError | undefined {
  const { rawHeaders } = message;
  if (rawHeaders.length > 2 * HEADERS_MAX) {
    return new ApiError('headers_too_large', `A request must not have more than ${HEADERS_MAX} headers`);
  }
  const twice = firstRepeated(rawHeaders);
  if (twice !== undefined)
    return new ApiError('invalid_request', `The header ${twice} must not appear more than once`);
  return message.headers.host === undefined && message.httpVersion === '1.1'
    ? new ApiError('invalid_request', 'The Host header is required')
    : undefined;
}

/** The headers with one value that are read here. Others arrive complete, as lists. */
const SINGLE = ['Host', 'Origin', 'User-Agent', 'Content-Type', 'Authorization'];

/** By the length of their names, which excludes nearly all other headers at once. */
const BY_LENGTH: (string | undefined)[] = [];
for (const name of SINGLE) BY_LENGTH[name.length] = name;

function firstRepeated(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    const name = BY_LENGTH[given.length];
    if (name === undefined || (given !== name && given.toLowerCase() !== name.toLowerCase())) continue;
    const bit = 1 << name.length;
    if ((seen & bit) !== 0) return name;
    seen |= bit;
  }
  return undefined;
}
