import { encode, keyOf, type CachedSession } from '../session/cached-session.ts';
import { createCopyReader, type Found } from './copy-reader.ts';
import type { SessionMacs } from '../session/session-macs.ts';

/** A session to read from the cache. */
export interface CacheRead {
  accountId: string;
  sessionId: string;
  /** Empty to only read; `+` to also store the time; otherwise the content to store with the time. */
  mark: string;
}

/** What was found for each session, and the server’s time; `undefined` if the server could not be asked. */
export type Reply = { nowSeconds: number; found: Found[] } | undefined;

/** The copies without a valid MAC, by session; they are replaced with the source's session. */
export type Rejected = ReadonlyMap<string, string>;

/** Builds the arguments of the scripts that read and write copies, and reads their answers. */
export function createScriptArguments(macs: SessionMacs, idleSeconds: number) {
  const copies = createCopyReader(macs);
  const idle = String(idleSeconds);
  const expiry = String(idleSeconds + 60);

  const readArguments = (fence: string, reads: readonly CacheRead[]): [number, ...string[]] => [
    reads.length,
    ...reads.map((one) => copies.keyOf(fence, one.accountId, one.sessionId)),
    idle,
    ...reads.map((one) => one.mark),
  ];
  const writeArguments = (
    fence: string,
    sessions: readonly CachedSession[],
    rejected: Rejected,
  ): [number, ...string[]] => {
    const keys = sessions.map((session) => keyOf(fence, session.accountId, session.sessionId));
    const values = sessions.flatMap((session, index) => [
      String(session.version),
      macs.seal(keys[index] ?? '', session.role, encode(session)),
      macs.vouchesFor(session.role) ? '1' : '',
      rejected.get(session.sessionId) ?? '',
    ]);
    return [sessions.length, ...keys, expiry, ...values];
  };

  /** The server’s answer to a call with this fence and these arguments. */
  const replyOf = (
    fence: string,
    reads: readonly CacheRead[],
    asked: readonly unknown[],
    words: unknown,
  ): Reply => {
    if (words === undefined) return undefined;
    const [nowSeconds, ...values] = words as [number, ...(string | null)[]]; // what the script returns
    const found = reads.map(({ accountId, sessionId }, index) =>
      // The first argument is the number of keys.
      copies.read(values[index], { fence, key: String(asked[index + 1]), accountId, sessionId }),
    );
    return { nowSeconds, found };
  };

  return { readArguments, writeArguments, replyOf };
}
