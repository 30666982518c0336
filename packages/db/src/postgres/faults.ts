import { Unavailable, Unstorable } from '@gatehouse/runtime';

/**
 * What a driver's error means for a caller, decided in this one place (PostgreSQL, appendix A: error codes).
 */

/** Postgres, the way to it or a free connection was missing: 503, worth another try. */
function isUnavailable(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'KnexTimeoutError' || name === 'TimeoutError' || name === 'AggregateError') return true;
  if (isConnectionLost(error)) return true;
  return typeof code === 'string' && (/^(53|58)/.test(code) || TRANSIENT.has(code));
}

/**
 * Whether its connection is of no more use: it is gone, or an answer may come that nobody waits for, or it keeps plans
 * that a migration overtook.
 */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === '0A000' && typeof message === 'string' && message.endsWith(STALE_PLAN)) return true;
  if (typeof code === 'string') {
    return /^(08|57P)/.test(code) || code === '25P03' || NETWORK.has(code) || UNTRUSTED.test(code);
  }
  return typeof message === 'string' && CONNECTION_LOST.test(message);
}

/** The error as callers are to see it. */
export function translate(error: unknown): unknown {
  if (isUnavailable(error)) return new Unavailable('postgres', { cause: error });
  if (isUnstorable(error)) return new Unstorable('a value cannot be stored', { cause: error });
  return error;
}

/** A value that Postgres cannot store, which the edge let through; it is the caller's fault. */
function isUnstorable(error: unknown): boolean {
  return UNSTORABLE.has(String((error as { code?: unknown }).code));
}

/** Whether a unique value was taken; `constraint` says which. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const fault = error as { code?: unknown; constraint?: unknown };
  return fault.code === '23505' && fault.constraint === constraint;
}

/** Of a named statement, once a migration gave a column that it reads another type (PostgreSQL, plancache.c). */
const STALE_PLAN = 'cached plan must not change result type';
// No text in the encoding, no value of the type, out of a number's or a date's range, beyond a limit of Postgres.
const UNSTORABLE = new Set(['22021', '22P02', '22P05', '22003', '22008', '54000', '54001']);
// Read-only after a failover, statement or lock time-out, serialisation and deadlock.
const TRANSIENT = new Set(['25006', '57014', '55P03', '40001', '40P01']);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]);
/** The server is not who it should be, or TLS fails otherwise (Node's and OpenSSL's words). */
const UNTRUSTED = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO$)/;
/**
 * What pg, Knex and its pool say where they give no code, word for word: Knex puts the statement before it, whose
 * words must decide nothing. "aborted" is said to those who wait for a connection when the pool closes.
 */
const CONNECTION_LOST =
  /(?:^| - )(?:Connection terminated(?: unexpectedly)?|Connection ended unexpectedly|Query read timeout|timeout expired|Client has encountered a connection error and is not queryable|Client was closed and is not queryable|Unable to acquire a connection|aborted)$/;
