import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ConfigError, Unavailable, type Log } from '@gatehouse/runtime';
import { Piscina } from 'piscina';
import { isCommonPassword } from './common-passwords.ts';
import { createTurns } from './turns.ts';

/** A password as it is kept; `raw` is a bcrypt hash of the plain password, imported from elsewhere. */
export interface StoredPassword {
  hash: string;
  scheme: 'peppered' | 'raw';
}

/** Why a password may not be chosen. */
export type PasswordFault = 'too_short' | 'too_long' | 'too_common' | 'like_email' | 'malformed';

export type Passwords = ReturnType<typeof createPasswords>;

/** In code points after NFC. */
const LENGTH_MAX = 256;
/** In UTF-16 units as typed: ample for 256 code points however they are composed. */
const UNITS_MAX = 6 * LENGTH_MAX;
/** A turn comes within this time or not at all … */
const WAIT_MS = 2500;
/** … and everything ends within this one, so that a request does within 5 s (promise 5). */
const TOTAL_MS = 4700;
/** Waiting jobs per thread at cost 10, where one takes about 85 ms: the last waits some 2 s. */
const WAITING_PER_THREAD = 24;
/** Beyond it one comparison would hold a thread for seconds to days; imported hashes name their own cost. */
const COST_MAX = 14;

/**
 * Checks, hashes and verifies passwords: bcrypt over base64(HMAC-SHA-384(pepper, password)), which is 64
 * characters without NUL, so that the whole password counts (bcrypt reads 72 bytes, up to a NUL) and the
 * database alone does not let anyone try passwords.
 *
 * bcrypt runs on `threads` worker threads (0: as many as cores) behind a bounded queue: `hash`, `verify` and
 * `verifyNothing` throw `Unavailable` when it is full or too slow. By default `queueMax` is what `threads`
 * finish in about 2 s at the given cost.
 *
 * @throws {ConfigError} for a cost outside of 4 to 14.
 */
export function createPasswords(options: {
  pepper: string;
  cost: number;
  threads: number;
  minLength: number;
  queueMax?: number;
  log: Log;
}) {
  const { pepper, cost, minLength, log } = options;
  if (!isPayable(cost)) throw new ConfigError(`the bcrypt cost must be 4 to ${COST_MAX}`);
  const pool = createPool({ ...options, threads: options.threads || availableParallelism() }, log);
  const dummyHash = `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(6).slice(0, 53)}`;
  const prehash = (password: string): string =>
    createHmac('sha384', pepper).update(password.normalize('NFC')).digest('base64');

  const verifyNothing = async (password: string): Promise<false> => {
    await pool.run('compare', { text: prehash(isUsable(password) ? password : ''), hash: dummyHash });
    return false;
  };

  return {
    /** What is wrong with a password that someone wants for the account of a normalised address. */
    check: (password: string, email: string): PasswordFault | undefined => fault(password, email, minLength),

    /** The hash to keep, with scheme `peppered`, of a password that passed `check`. */
    hash: async (password: string): Promise<string> =>
      String(await pool.run('hash', { text: prehash(password), cost })),

    /** Whether it is the stored password. */
    async verify(password: string, stored: StoredPassword): Promise<boolean> {
      if (!isUsable(password) || !isComparable(stored.hash)) return verifyNothing(password);
      const text = stored.scheme === 'peppered' ? prehash(password) : password;
      return (await pool.run('compare', { text, hash: stored.hash })) === true;
    },

    /** The same work as `verify` for an account without a password, so that time does not tell them apart. */
    verifyNothing,

    /** Whether a stored password is kept as we would keep it today; renew it at the next login when not. */
    isCurrent: (stored: StoredPassword): boolean =>
      stored.scheme === 'peppered' && costOf(stored.hash) === cost,

    /** Ends the threads; jobs under way fail. */
    close: (): Promise<void> => pool.close(),
  };
}

function createPool(options: { threads: number; cost: number; queueMax?: number }, log: Log) {
  const { threads, cost } = options;
  const waitingMax =
    options.queueMax ?? threads * Math.max(1, Math.round(WAITING_PER_THREAD * 2 ** (10 - cost)));
  const inTurn = createTurns({ width: threads, waitingMax, waitMs: WAIT_MS });
  const workers = new Piscina<object, unknown>({
    filename: fileURLToPath(new URL('password-worker.mjs', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    // Not the process's own flags: a thread that loads no TypeScript starts faster without its loader.
    execArgv: [],
  });
  workers.on('error', (error: unknown) => log.error('a password thread failed and is replaced', { error }));

  return {
    async run(name: 'hash' | 'compare', job: object): Promise<unknown> {
      const begun = performance.now();
      try {
        return await inTurn(() => {
          // Ends a thread that hangs; a turn that has come leaves over two seconds for tens of milliseconds.
          const signal = AbortSignal.timeout(Math.max(1, Math.ceil(begun + TOTAL_MS - performance.now())));
          return workers.run(job, { name, signal });
        });
      } catch (cause) {
        throw new Unavailable('password hashing', { cause });
      }
    },
    close: () => workers.destroy(),
  };
}

function fault(password: string, email: string, minLength: number): PasswordFault | undefined {
  if (password.length > UNITS_MAX) return 'too_long';
  if (!isUsable(password)) return 'malformed';
  const text = password.normalize('NFC');
  const length = Array.from(text).length;
  if (length < minLength) return 'too_short';
  if (length > LENGTH_MAX) return 'too_long';
  const folded = text.toLowerCase();
  const address = email.normalize('NFC').toLowerCase();
  if (folded === address || folded === address.slice(0, address.lastIndexOf('@'))) return 'like_email';
  return isCommonPassword(text) ? 'too_common' : undefined;
}

/**
 * Whether a password can be anybody's. A lone surrogate is hashed as U+FFFD, and so all of them alike; other
 * systems end a text at NUL; and normalising a long run of combining marks takes quadratic time.
 */
function isUsable(password: string): boolean {
  return password.length <= UNITS_MAX && password.isWellFormed() && !password.includes('\0');
}

/** Whether a hash is bcrypt's, at a cost that we are willing to pay. */
function isComparable(hash: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash) && isPayable(costOf(hash));
}

function isPayable(cost: number): boolean {
  return Number.isInteger(cost) && cost >= 4 && cost <= COST_MAX;
}

function costOf(hash: string): number {
  return Number(hash.slice(4, 6));
}
