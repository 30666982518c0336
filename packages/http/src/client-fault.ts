import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS } from './errors.ts';

/** Answers what is not HTTP, comes too slowly, or has headers beyond the limit; there is no request yet. */
export function answerClientFault(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ''] ?? 400;
  const body = JSON.stringify({
    type: 'urn:gatehouse:problem:invalid_request',
    title: ERRORS.invalid_request.title,
    status,
    detail: 'The request is not well-formed HTTP within the limits of this server',
    code: 'invalid_request',
    traceId: randomUUID().replaceAll('-', ''),
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};
