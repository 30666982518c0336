import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '@gatehouse/schema';
import { Unavailable } from '@gatehouse/runtime';
import { readObject, refuseCompressed, type Read } from './body.ts';
import { ApiError } from '../errors.ts';
import type { Exchange } from './exchange.ts';
import { isMediaType, NDJSON } from '../media-type.ts';

/** A line of the stream with its number, counted from 1 including blank lines: its value, or what is wrong with it. */
export type NdjsonLine<T> = { number: number } & Read<T>;

export const LINE_BYTES_MAX = 16_384;

/** A body with as many invalid lines, and no valid one before them, is something else, such as CSV. */
export const INVALID_LINES_MAX = 10_000;

/** After this time, in which lines may have been read and processed, the event loop gets a turn: others need about ten. */
const TURN_MS = 1;

/**
 * Reads a body of any length, one JSON object on each line, in constant memory: the next piece is read when the lines
 * before it were taken. Blank lines are skipped; byte order marks, as of files that were joined, and carriage returns
 * before line feeds are accepted. A client that pauses too long is refused, and so is one whose lines are not processed
 * in time. `admitStill` fails once the caller may no longer call, however long the stream lasts.
 *
 * @throws {ApiError} `unsupported_media_type`; during reading `not_ndjson`, and `Unavailable` when the process stops.
 */
export function readNdjson(exchange: Exchange, check: Check, admitStill: () => Promise<void>) {
  const { message, response } = exchange;
  const { 'content-type': kind, expect } = message.headers;
  if (!isMediaType(kind, NDJSON))
    throw new ApiError('unsupported_media_type', `The request body must be ${NDJSON} encoded in UTF-8`);
  refuseCompressed(message);
  if (expect !== undefined) response.writeContinue();
  return linesOf(exchange, check, admitStill);
}

async function* linesOf(
  exchange: Exchange,
  check: Check,
  admitStill: () => Promise<void>,
): AsyncGenerator<NdjsonLine<object>> {
  const splitter = new LineSplitter();
  let number = 0;
  let invalid = 0;
  let hasValid = false;
  let turnAt = performance.now();
  const read = (bytes: Buffer | 'too long'): NdjsonLine<object> | undefined => {
    number += 1;
    if (bytes === 'too long')
      return { number, kind: 'fault', fault: `must not exceed ${LINE_BYTES_MAX} bytes` };
    return isBlank(bytes) ? undefined : { number, ...readLine(bytes, check) };
  };
  for await (const chunk of chunksOf(exchange)) {
    await admitStill();
    for (const bytes of chunk === 'end' ? splitter.end() : splitter.split(chunk)) {
      const line = read(bytes);
      if (line !== undefined) {
        if (line.kind === 'value') hasValid = true;
        else invalid += 1;
        if (!hasValid && invalid >= INVALID_LINES_MAX)
          throw new ApiError('not_ndjson', `This is not NDJSON: all lines up to ${number} are invalid`);
        exchange.work();
        yield line;
      }
      if (performance.now() - turnAt >= TURN_MS) {
        await nextTurn();
        turnAt = performance.now();
      }
      // The request was already answered, as after its deadline.
      if (exchange.isAnswered) throw new Unavailable('time');
    }
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function readLine(bytes: Buffer, check: Check): Read<object> {
  const read = readObject(bytes);
  if (read.kind === 'fault') return { kind: 'fault', fault: read.fault };
  // Other systems and spreadsheets write out what is missing.
  for (const [name, value] of Object.entries(read.value))
    if (value === null || value === '') Reflect.deleteProperty(read.value, name);
  const problems = check(read.value);
  if (problems === undefined) return read;
  return { kind: 'fault', fault: problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; ') };
}

/** The chunks of the body, then `end`. A body that breaks off has no last line. */
async function* chunksOf(exchange: Exchange): AsyncGenerator<Buffer | 'end'> {
  // Not destroyed when reading stops early: the response uses the same connection.
  const chunks = exchange.message.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      exchange.awaitBody();
      // A message without an encoding yields buffers.
      const next = (await chunks.next().catch(refuseBroken)) as IteratorResult<Buffer, undefined>;
      exchange.work();
      if (exchange.isStopping) throw new Unavailable('this process');
      if (next.done === true) break;
      yield next.value;
    }
    yield 'end';
  } finally {
    await chunks.return?.();
  }
}

/** The client disconnected: this is not a server error, and there is no one to respond to. */
function refuseBroken(cause: unknown): never {
  throw new ApiError('invalid_request', 'The request body ended unexpectedly', { cause });
}

/** Splits a stream into lines; lines that are too long are not buffered. */
class LineSplitter {
  #parts: Buffer[] = [];
  #length = 0;

  *split(chunk: Buffer): Generator<Buffer | 'too long'> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, end));
      yield this.#take();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** The last line, which may have no line feed. */
  *end(): Generator<Buffer | 'too long'> {
    if (this.#length > 0) yield this.#take();
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > LINE_BYTES_MAX) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): Buffer | 'too long' {
    const [parts, length] = [this.#parts, this.#length];
    this.#parts = [];
    this.#length = 0;
    if (length > LINE_BYTES_MAX) return 'too long';
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }
}

const LINE_FEED = 0x0a;
