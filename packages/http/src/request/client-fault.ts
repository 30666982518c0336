import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERRORS, problemBody, type ErrorCode } from '../errors.ts';

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
