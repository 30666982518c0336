import { Unavailable } from '@gatehouse/runtime';

/**
 * What a driver's error means for a caller, decided in this one place (PostgreSQL, appendix A: error codes).
 */

/** Postgres, the way to it or a free connection was missing: 503, worth another try. */
function isUnavailable(error: unknown): boolean {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  if (name === 'KnexTimeoutError' || name === 'TimeoutError' || name === 'AggregateError') return true;
  if (typeof code === 'string') {
    if (/^(08|53|57P|58)/.test(code) || TRANSIENT.has(code)) return true;
    if (NETWORK.has(code)) return true;
  }
  return typeof message === 'string' && CONNECTION_LOST.test(message);
}

/** A value that Postgres cannot store, which the edge let through; it is the caller's fault (400). */
class Unstorable extends Error {
  override name = 'Unstorable';
}

/** The error as callers are to see it. */
export function translate(error: unknown): unknown {
  if (isUnavailable(error)) return new Unavailable('postgres', { cause: error });
  if (isUnstorable(error)) return new Unstorable('a value cannot be stored', { cause: error });
  return error;
}

function isUnstorable(error: unknown): boolean {
  return ['22021', '22P02', '22003', '22P05'].includes(String((error as { code?: unknown }).code));
}

// Read-only after a failover, statement or lock time-out, serialisation and deadlock, idle transaction ended.
const TRANSIENT = new Set(['25006', '57014', '55P03', '40001', '40P01', '25P03']);
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
const CONNECTION_LOST =
  /Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|Connection ended|Unable to acquire a connection|aborted/i;
