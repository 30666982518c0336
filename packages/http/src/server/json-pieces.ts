import { setImmediate as nextTurn } from 'node:timers/promises';

const PIECE_LENGTH = 65_536;
/** After this time the event loop gets a turn. */
const TURN_MS = 4;
/** The rows of a list that are serialized at a time. */
const PART_ROWS = 500;

/**
 * Serializes a document that may be large to JSON, in pieces. Lists are written a few rows at a time, so that a long
 * one does not block the event loop. A string is sent unchanged.
 */
export async function piecesOf(document: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '';
  let since = performance.now();
  for (const part of textsOf(document)) {
    text += part;
    if (text.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  if (text !== '') pieces.push(Buffer.from(text));
  return pieces;
}

/** Yields the document with some rows of each of its lists at a time. */
export function* partsOf(document: unknown): Generator {
  if (!isRecord(document)) {
    yield document;
    return;
  }
  const entries = Object.entries(document);
  const rowsMax = Math.max(...entries.map(([, value]) => (Array.isArray(value) ? value.length : 0)));
  let from = 0;
  do {
    const to = from + PART_ROWS;
    yield Object.fromEntries(
      entries.map(([name, value]) => [name, Array.isArray(value) ? value.slice(from, to) : value]),
    );
    from = to;
  } while (from < rowsMax);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* textsOf(document: unknown): Generator<string> {
  if (typeof document === 'string') {
    for (const [part] of document.matchAll(/.{1,65536}/gsu)) yield part;
  } else if (isRecord(document)) {
    let separator = '{';
    for (const [name, value] of Object.entries(document)) {
      if (value === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* Array.isArray(value) ? rowsOf(value) : [JSON.stringify(value)];
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield JSON.stringify(document);
}

function* rowsOf(rows: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
