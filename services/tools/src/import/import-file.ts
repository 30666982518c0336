import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../terminal.ts';
import { createReadStream } from 'node:fs';
import type { ConvertedExport } from '@gatehouse/intake';

/** The response of `POST /admin/account/import`. */
interface Answer {
  Imported: number;
  Skipped: number;
  Failed: number;
  Failures: { Line: number; Code: string; Message: string }[];
  SlowHashes?: { Lines: number; Cost: number };
}

export interface ImportState {
  imported: number;
  skipped: number;
  failed: number;
  /** Accounts whose hash takes longer to check than ours, and the highest cost among them. */
  slow: { lines: number; cost: number };
  /** Whether a part was sent again: what the first try imported then counts as skipped. */
  isResent: boolean;
  bytes: number;
  /** The number of processed lines. */
  lines: number;
}

export interface ImportAccess {
  adminUrl: string;
  /** Returns a bearer token. Called again if a token is refused. */
  logIn: () => Promise<string>;
}

export interface ImportTarget extends ImportAccess {
  /** Reports the result for each line without importing it. */
  isTrial?: boolean;
  /** Imports accounts with such hashes without a password. */
  dropsSlowHashes?: boolean;
  /** The hash parameters of a Firebase project (docs/passwords.md). */
  firebase?: string | undefined;
  /** Called for every account that failed, with its place in the source. */
  onFailure: (place: string, message: string) => void;
  onProgress: (state: ImportState) => void;
  /** The waiting times between tries, in milliseconds. */
  pausesMs?: readonly number[];
}

interface ImportPart {
  lines: number;
  text: Buffer<ArrayBuffer>;
  /** The place in the source of a line of this part, counted from 1. */
  placeOf: (line: number) => string;
}

/** Small enough that a part is processed within the gateway's timeouts on any machine. */
const PART = { linesMax: 5000, bytesMax: 4_000_000 };
/** Admin hashes each of these passwords before it stores the line: this number takes as long as 5000 other lines. */
const SLOW = { mark: '"PasswordDigest"', part: { ...PART, linesMax: 200 } };
const ANSWER_MS = 55_000;
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000];

export function importFile(file: string, target: ImportTarget): Promise<ImportState> {
  const parts = partsOf(createReadStream(file), (line) => `line ${line}`);
  return importParts(parts, target);
}

export function importExport({ lines }: ConvertedExport, target: ImportTarget): Promise<ImportState> {
  const placeOf = (line: number): string => lines[line - 1]?.place ?? `entry ${line}`;
  return importParts(partsOf(textsOf(lines), placeOf), target);
}

function* textsOf(lines: ConvertedExport['lines']): Generator<Buffer> {
  for (const { line } of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

async function* partsOf(chunks: Chunks, placeOf: (line: number) => string): AsyncGenerator<ImportPart> {
  for await (const part of textParts(chunks, PART)) {
    const before = part.firstLine - 1;
    const parts = part.text.includes(SLOW.mark)
      ? textParts([part.text], SLOW.part)
      : [{ ...part, firstLine: 1 }];
    for await (const { firstLine, lines, text } of parts)
      yield { lines, text, placeOf: (line) => placeOf(before + firstLine - 1 + line) };
  }
}

/**
 * Sends accounts in parts. A part is sent again while Admin is unreachable or unavailable; what was imported the first
 * time is then skipped.
 *
 * @throws {CommandError} if a part is finally refused, with the number of lines that are done.
 */
async function importParts(parts: AsyncIterable<ImportPart>, target: ImportTarget): Promise<ImportState> {
  const counts = { imported: 0, skipped: 0, failed: 0, bytes: 0, lines: 0 };
  const state: ImportState = { ...counts, slow: { lines: 0, cost: 0 }, isResent: false };
  let token = await target.logIn();
  for await (const part of parts) {
    const sent = await send(part, token, target).catch((error: unknown) => {
      throw new CommandError(
        error instanceof Error ? error.message : 'The import failed',
        `All lines up to ${state.lines} are done. Run the same command again: what is there already is skipped.`,
        { cause: error },
      );
    });
    token = sent.token;
    state.isResent ||= sent.isResent;
    const { Imported, Skipped, Failed, Failures, SlowHashes = { Lines: 0, Cost: 0 } } = sent.answer;
    for (const { Line, Code, Message } of Failures) {
      if (Code !== 'email_taken') target.onFailure(part.placeOf(Line), Message);
    }
    state.imported += Imported;
    state.skipped += Skipped;
    state.failed += Failed;
    state.slow.lines += SlowHashes.Lines;
    state.slow.cost = Math.max(state.slow.cost, SlowHashes.Cost);
    state.bytes += part.text.length;
    state.lines += part.lines;
    target.onProgress(state);
  }
  return state;
}

async function send(
  part: ImportPart,
  firstToken: string,
  { adminUrl, logIn, isTrial = false, dropsSlowHashes = false, firebase, pausesMs = PAUSES_MS }: ImportTarget,
): Promise<{ answer: Answer; token: string; isResent: boolean }> {
  let token = firstToken;
  const query = new URLSearchParams({
    ...(isTrial && { dryRun: 'true' }),
    ...(dropsSlowHashes && { slowHashes: 'drop' }),
    ...(firebase && { firebase }),
  });
  const url = `${adminUrl}/admin/account/import${query.size === 0 ? '' : `?${query.toString()}`}`;
  for (let attempt = 0; ; attempt += 1) {
    const reached = await post(url, part, token);
    if (reached.kind === 'answered') return { answer: reached.answer, token, isResent: attempt > 0 };
    const pause = pausesMs[attempt];
    if (!reached.isPassing || pause === undefined) throw new Error(reached.reason);
    if (reached.isLoggedOut) token = await logIn();
    else await sleep(pause);
  }
}

type Reached =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'failed'; reason: string; isPassing: boolean; isLoggedOut: boolean };

async function post(url: string, { text }: ImportPart, token: string): Promise<Reached> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: text,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = (await response.json()) as Answer & { detail?: string };
    if (response.ok) return { kind: 'answered', answer: body };
    const isLoggedOut = response.status === 401;
    const isPassing = isLoggedOut || response.status === 503 || response.status === 429;
    const reason = `Admin answers ${response.status}: ${body.detail ?? 'no reason'}`;
    return { kind: 'failed', reason, isPassing, isLoggedOut };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason';
    // Without the query, because its parameters may contain a key.
    const reason = `Admin does not answer at ${url.split('?', 1)[0]}: ${why}`;
    return { kind: 'failed', reason, isPassing: true, isLoggedOut: false };
  }
}

/** Of a file, or a line each. */
type Chunks = AsyncIterable<unknown> | Iterable<unknown>;

/** Several complete lines of a file. */
interface FilePart {
  /** The line number of its first line in the file, from 1. */
  firstLine: number;
  lines: number;
  text: Buffer<ArrayBuffer>;
}

const LINE_FEED = 0x0a;

/** Splits a text, in constant memory, into parts of this many lines, or bytes up to the end of a line, at most. */
async function* textParts(
  chunks: Chunks,
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
  for await (const read of chunks) {
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
