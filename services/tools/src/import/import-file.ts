import { setTimeout as sleep } from 'node:timers/promises';
import { fileParts, type FilePart } from './file-parts.ts';
import { CommandError } from '../command-error.ts';

/** What `POST /admin/account/import` answers. */
interface Answer {
  Imported: number;
  Skipped: number;
  Failed: number;
  Failures: { Line: number; Code: string; Message: string }[];
}

/** The progress of an import. */
export interface ImportState {
  imported: number;
  skipped: number;
  failed: number;
  bytes: number;
  /** The number of lines done. */
  lines: number;
}

/** The Admin that takes an import, and who logs in there. */
export interface ImportAccess {
  /** Admin's address. */
  adminUrl: string;
  /** A bearer token; asked for again when one is refused. */
  logIn: () => Promise<string>;
}

export interface ImportTarget extends ImportAccess {
  /** Called for every line that failed. */
  onFailure: (line: number, message: string) => void;
  onProgress: (state: ImportState) => void;
  /** How long it waits before it tries again, in milliseconds. */
  pausesMs?: readonly number[];
}

/** Small enough that a part is done within the gateway's time-outs, whatever the machine. */
const PART = { linesMax: 5000, bytesMax: 4_000_000 };
const ANSWER_MS = 55_000;
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Sends a file part by part, each again while Admin is unreachable or unavailable: lines that were imported the first
 * time are then skipped.
 *
 * @throws {CommandError} when a part is finally refused, saying how far it came.
 */
export async function importFile(file: string, target: ImportTarget): Promise<ImportState> {
  const state: ImportState = { imported: 0, skipped: 0, failed: 0, bytes: 0, lines: 0 };
  let token = await target.logIn();
  for await (const part of fileParts(file, PART)) {
    const sent = await send(part, token, target).catch((error: unknown) => {
      throw new CommandError(
        error instanceof Error ? error.message : 'The import failed',
        `All lines up to ${state.lines} are done. Run the same command again: what is there already is skipped.`,
        { cause: error },
      );
    });
    token = sent.token;
    const { Imported, Skipped, Failed, Failures } = sent.answer;
    for (const { Line, Code, Message } of Failures) {
      if (Code !== 'email_taken') target.onFailure(part.firstLine - 1 + Line, Message);
    }
    state.imported += Imported;
    state.skipped += Skipped;
    state.failed += Failed;
    state.bytes += part.text.length;
    state.lines += part.lines;
    target.onProgress(state);
  }
  return state;
}

async function send(
  part: FilePart,
  firstToken: string,
  { adminUrl, logIn, pausesMs = PAUSES_MS }: ImportTarget,
): Promise<{ answer: Answer; token: string }> {
  let token = firstToken;
  for (let attempt = 0; ; attempt += 1) {
    const reached = await post(`${adminUrl}/admin/account/import`, part, token);
    if (reached.kind === 'answered') return { answer: reached.answer, token };
    const pause = pausesMs[attempt];
    if (!reached.isPassing || pause === undefined) throw new Error(reached.reason);
    if (reached.isLoggedOut) token = await logIn();
    else await sleep(pause);
  }
}

type Reached =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'failed'; reason: string; isPassing: boolean; isLoggedOut: boolean };

async function post(url: string, { text }: FilePart, token: string): Promise<Reached> {
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
    return {
      kind: 'failed',
      reason: `Admin answers ${response.status}: ${body.detail ?? 'no reason'}`,
      isPassing,
      isLoggedOut,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no reason';
    const reason = `Admin does not answer at ${url}: ${why}`;
    return { kind: 'failed', reason, isPassing: true, isLoggedOut: false };
  }
}
