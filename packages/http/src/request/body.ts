import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonFault } from '@gatehouse/runtime';
import { ApiError } from '../errors.ts';
import { FORM, isMediaType } from '../media-type.ts';
import { readFields } from './pairs.ts';

export const BODY_BYTES_MAX = 102_400;

interface Kind {
  mediaType: string;
  parse: (bytes: Buffer | null) => object;
}

/** A JSON object; `{}` without a body. */
export const JSON_BODY: Kind = { mediaType: 'application/json', parse };
/** A form of few fields, each of them once. */
export const FORM_BODY: Kind = { mediaType: FORM, parse: parseForm };

/**
 * Reads an object from the body. Type, encoding and announced length are checked before the first byte is read. A body
 * that has already arrived, as is usual, is returned synchronously.
 *
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large` or `invalid_request`.
 */
export function readBody(
  message: IncomingMessage,
  response: ServerResponse,
  { mediaType, parse: parsed }: Kind,
): object | Promise<object> {
  const { headers } = message;
  const isGiven = hasBody(message);
  checkKind(headers['content-type'], isGiven, mediaType);
  refuseCompressed(message);
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  if (headers.expect !== undefined) response.writeContinue();
  if (!isGiven) return {};
  if (message.complete && message.readableLength <= BODY_BYTES_MAX)
    return parsed(message.read() as Buffer | null);
  return gather(message).then(parsed);
}

/** How much of the body has not been received when the response is ready. */
export function remainingBody(message: IncomingMessage): 'nothing' | 'little' | 'much' {
  if (message.complete || !hasBody(message)) return 'nothing';
  const length = message.headers['content-length'];
  const isSmall = length !== undefined && Number(length) <= BODY_BYTES_MAX;
  return isSmall && message.headers.expect === undefined ? 'little' : 'much';
}

/** A few compressed bytes may expand to gigabytes. */
export function refuseCompressed({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding === 'identity') return;
  throw new ApiError('unsupported_media_type', 'Compressed request bodies are not supported');
}

function hasBody(message: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = message.headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

function checkKind(contentType: string | undefined, isGiven: boolean, mediaType: string): void {
  if (contentType === mediaType || (contentType === undefined && !isGiven)) return;
  if (!isMediaType(contentType, mediaType))
    throw new ApiError('unsupported_media_type', `The request body must be ${mediaType} encoded in UTF-8`);
}

/** The listeners stay, as removing them would cost every request; later calls have no effect. */
function gather(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    message.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) chunks.push(chunk);
      else {
        message.removeAllListeners('data').pause();
        reject(tooLarge());
      }
    });
    message.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    message.on('close', () => {
      if (!message.complete) reject(new ApiError('invalid_request', 'The request body ended unexpectedly'));
    });
  });
}

function parse(bytes: Buffer | null): object {
  if (bytes === null || bytes.length === 0) return {};
  const object = readObject(bytes);
  if (object.kind === 'value') return object.value;
  const { fault, cause } = object;
  const place = cause === undefined ? '' : `: see ${jsonFault(bytes.toString('utf8')).place}`;
  throw new ApiError('invalid_request', `The request body ${fault}${place}`, { cause });
}

function parseForm(bytes: Buffer | null): object {
  if (bytes === null) return {};
  if (!isUtf8(bytes)) throw new ApiError('invalid_request', 'The request body is not valid UTF-8');
  return readFields(bytes.toString('utf8'));
}

export type Read<T> = { kind: 'value'; value: T } | { kind: 'fault'; fault: string; cause?: unknown };

/** Parses a JSON object in UTF-8, after a byte order mark, which PowerShell and .NET write. */
export function readObject(bytes: Buffer): Read<object> {
  if (!isUtf8(bytes)) return { kind: 'fault', fault: 'is not valid UTF-8' };
  if (hasTooManyValues(bytes))
    return { kind: 'fault', fault: `must not have more than ${JSON_VALUES_MAX} fields and items` };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8', bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0));
  } catch (error) {
    return { kind: 'fault', fault: 'is not valid JSON', cause: error };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'fault', fault: 'must be a JSON object' };
  return { kind: 'value', value };
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', `The request body must not exceed ${BODY_BYTES_MAX} bytes`);
}

/** Several times what the largest valid request has, so that a client may also send fields that are dropped. */
export const JSON_VALUES_MAX = 5000;

/** Ten thousand different fields take V8 a hundred times as long to parse as a text of the same length. */
export function hasTooManyValues(bytes: Buffer): boolean {
  // Each value takes a byte at least.
  if (bytes.length <= JSON_VALUES_MAX) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1;
  }
  return values > JSON_VALUES_MAX;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
