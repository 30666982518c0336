import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Frees what a stream does not need while it is open, which may be hours: the headers of its request, their token among them, and what
 * Express keeps to go on with other routes. That is a quarter of what V8 holds for a stream.
 */
export function forgetRequest(message: IncomingMessage): void {
  message.rawHeaders = [];
  message.headers = {};
  Object.assign(message, { next: undefined, params: undefined, _parsedUrl: undefined });
}

/** A small body that is not read may still arrive, so that the connection can be reused, but only for a limited time. */
export function cutAfter(message: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => message.destroy(), ms).unref();
  const settle = (): void => clearTimeout(timer);
  message.once('end', settle).once('close', settle);
}

/**
 * Sends a response in one write to the socket. `end(text)` alone would write the text and a trailing empty chunk as a
 * list, which costs a tenth of Node’s HTTP time.
 */
export function endWith(response: ServerResponse, contents: string | Uint8Array): void {
  response.write(contents);
  // Node delays the first chunk to combine it with others of the same turn; there are no others.
  response.socket?.uncork();
  response.end();
}

const LINGER_MS = 1000;
const LINGER_BYTES = 1_048_576;

/**
 * Closes a connection whose client is still sending a body that is not read. Closing at once would make the kernel
 * send a reset, which can overtake the response; so the body is discarded for a short time first.
 */
export function endWithoutRest(
  message: IncomingMessage,
  response: ServerResponse,
  contents: string | Uint8Array | undefined,
): void {
  let spareBytes = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    message.off('data', discard);
    response.end();
  };
  const discard = (chunk: Buffer): void => {
    spareBytes -= chunk.length;
    if (spareBytes < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  if (contents !== undefined) response.write(contents);
  message.on('data', discard).once('end', end).once('close', end).resume();
}
