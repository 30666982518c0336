import { createReadStream } from 'node:fs';

/** Several complete lines of a file. */
export interface FilePart {
  /** The line number of its first line in the file, from 1. */
  firstLine: number;
  lines: number;
  text: Buffer<ArrayBuffer>;
}

const LINE_FEED = 0x0a;

/**
 * Splits a file into parts of at most this many lines, or this many bytes up to the end of a line, with constant
 * memory.
 */
export async function* fileParts(
  file: string,
  { linesMax, bytesMax }: { linesMax: number; bytesMax: number },
): AsyncGenerator<FilePart> {
  let firstLine = 1;
  let kept: Buffer[] = [];
  let [lines, bytes] = [0, 0];
  const take = (): FilePart => {
    const part = { firstLine, lines, text: Buffer.concat(kept) };
    firstLine += lines;
    kept = [];
    [lines, bytes] = [0, 0];
    return part;
  };
  for await (const read of createReadStream(file)) {
    const chunk = read as Buffer; // no encoding is set
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      lines += 1;
      if (lines < linesMax && bytes + (end + 1 - from) < bytesMax) continue;
      kept.push(chunk.subarray(from, end + 1));
      from = end + 1;
      yield take();
    }
    kept.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > 2 * bytesMax) throw new Error(`line ${firstLine + lines} is too long for an account`);
  }
  const rest = kept.at(-1);
  if (rest !== undefined && rest.length > 0 && rest.at(-1) !== LINE_FEED) lines += 1;
  if (kept.some((chunk) => chunk.length > 0)) yield take();
}

/** Splits a part into smaller ones of this many lines. */
export function* smallerParts({ firstLine, text }: FilePart, linesMax: number): Generator<FilePart> {
  let [from, lines, first] = [0, 0, firstLine];
  for (let end = text.indexOf(LINE_FEED); from < text.length; end = text.indexOf(LINE_FEED, end + 1)) {
    lines += 1;
    const to = end === -1 ? text.length : end + 1;
    if (lines < linesMax && to < text.length) continue;
    yield { firstLine: first, lines, text: text.subarray(from, to) };
    [from, first, lines] = [to, first + lines, 0];
  }
}
