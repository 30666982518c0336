import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, problemBody, type ErrorCode } from '../errors.ts';

/** The maximum number of headers of a request; their total size is limited to 16 KiB. */
export const HEADERS_MAX = 100;

/**
 * What is wrong with a request's headers, if anything. One that is repeated is refused: Node would use the first value,
 * a proxy in front maybe the other. (Node refuses two lengths itself.)
 */
export function faultOfHead(message: IncomingMessage): ApiError | undefined {
  const { rawHeaders } = message;
  if (rawHeaders.length > 2 * HEADERS_MAX)
    return new ApiError('headers_too_large', `A request must not have more than ${HEADERS_MAX} headers`);
  const twice = firstRepeated(rawHeaders);
  if (twice !== undefined)
    return new ApiError('invalid_request', `The header ${twice} must not appear more than once`);
  return message.headers.host === undefined && message.httpVersion === '1.1'
    ? new ApiError('invalid_request', 'The Host header is required')
    : undefined;
}

/** The single-value headers that the services read. Others arrive complete, as lists. */
const SINGLE = ['Host', 'Origin', 'User-Agent', 'Content-Type', 'Authorization'];

/** Indexed by the length of the name, which excludes nearly all other headers at once. */
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

/** Responds to input that is not HTTP, is sent too slowly or has too large headers; there is no request object yet. */
export function answerClientFault(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const fault = new ApiError(
    CODES[error.code ?? ''] ?? 'invalid_request',
    'Malformed HTTP request, or a limit of the server was exceeded',
  );
  const { status } = ERRORS[fault.code];
  const body = JSON.stringify(problemBody(fault, randomUUID().replaceAll('-', '')));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};
