import { Unavailable, Unstorable } from '@gatehouse/runtime';

/** Defines in one place what a driver's error means for a caller (PostgreSQL, appendix A: error codes). */

/** Postgres or the way to it is down, or no connection is free: answered with 503, and worth a retry. */
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  const { name } = error as { name?: unknown };
  if (name === 'KnexTimeoutError' || name === 'TimeoutError' || name === 'AggregateError') return true;
  if (isConnectionLost(error)) return true;
  return /^(53|58)/.test(code) || TRANSIENT.has(code);
}

/** It is closed, may still get a late answer, has plans from before a migration, or its server accepts no writes. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  const message = String((error as { message?: unknown }).message);
  if (code === '') return CONNECTION_LOST.test(message);
  if (isPlanMissing(error) || (code === '0A000' && message.endsWith(STALE_PLAN))) return true;
  return /^(08|57P|25P03$|25006$)/.test(code) || NETWORK.test(code) || UNTRUSTED.test(code);
}

/** Whether the server does not know our statement names as we expect, because a pooler is in between. */
export function isPlanMissing(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error));
}

export function translate(error: unknown): unknown {
  if (isUnavailable(error)) return new Unavailable('postgres', { cause: error });
  // A value that passed our checks but that Postgres cannot store: the caller’s mistake.
  if (UNSTORABLE.has(codeOf(error))) return new Unstorable('a value cannot be stored', { cause: error });
  return error;
}

/** Of Postgres, Node or OpenSSL; empty if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether a unique value is already taken; `constraint` is the constraint’s name. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return codeOf(error) === '23505' && (error as { constraint?: unknown }).constraint === constraint;
}

/** The message after a migration changed a type that a named statement reads (PostgreSQL, plancache.c). */
const STALE_PLAN = 'cached plan must not change result type';
// Invalid text encoding, not a value of the type, a number or date out of range, or a limit of Postgres exceeded.
const UNSTORABLE = new Set(['22021', '22P02', '22P05', '22003', '22008', '54000', '54001']);
// Read-only after a failover, statement or lock time-out, serialisation failure, deadlock.
const TRANSIENT = new Set(['25006', '57014', '55P03', '40001', '40P01']);
const NETWORK = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT)$/;
/** The certificate is not valid for the server, or TLS fails for another reason (codes of Node and OpenSSL). */
const UNTRUSTED = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO$)/;
/**
 * The exact messages of pg, Knex and its pool that have no code. Knex puts the statement before the message, and the
 * statement's text must not be matched. "aborted" is the message for callers that wait while the pool closes.
 */
const CONNECTION_LOST =
  /(?:^| - )(?:Connection terminated(?: unexpectedly)?|Connection ended unexpectedly|Query read timeout|timeout expired|Client has encountered a connection error and is not queryable|Client was closed and is not queryable|Unable to acquire a connection|aborted)$/;
