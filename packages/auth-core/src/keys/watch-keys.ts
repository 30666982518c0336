import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ConfigError, type Log } from '@gatehouse/runtime';
import { parseIdTokenKeySet, parseKeySet, parsePublicKeySet, type KeySet } from './keys.ts';

export interface Keys {
  current(): KeySet;
  /** Calls the listener after every change, with the `kid`s of removed keys. */
  onChange(listener: (removedKids: string[]) => void): void;
  close(): void;
}

/**
 * Reads a JWK set (`holds`: the private one, the public one, or the one of ID tokens) from `json` or from `file`. The file is read again every
 * `everyMs`, so that keys rotate without a restart. If it becomes unreadable or invalid, this is logged and the keys
 * stay: an operator’s mistake must not log out all users.
 *
 * @throws {ConfigError} if the first read fails.
 */
export function watchKeys(options: {
  file?: string | undefined;
  json?: string | undefined;
  holds?: keyof typeof NAMES;
  everyMs?: number;
  log: Log;
}): Keys {
  const { file, json, holds = 'private', everyMs = 1000, log } = options;
  const parse = PARSERS[holds];
  if (file !== undefined && json !== undefined)
    throw new ConfigError(`${NAMES[holds]} are given twice: keep one`);
  if (file !== undefined) return fileKeys(file, parse, everyMs, log);
  if (json !== undefined) return fixedKeys(parse(json));
  throw new ConfigError(`${NAMES[holds]} are given neither as a file nor as JSON`);
}

const NAMES = { private: 'signing keys', public: 'verification keys', idTokens: 'keys of ID tokens' };
const PARSERS = { private: parseKeySet, public: parsePublicKeySet, idTokens: parseIdTokenKeySet };

function fileKeys(file: string, parse: (json: string) => KeySet, everyMs: number, log: Log): Keys {
  let text = firstText(file);
  let current = parse(text);
  let lastProblem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const listeners: ((removedKids: string[]) => void)[] = [];

  // The whole file (a few hundred bytes) is compared: its time and size can stay the same across a change.
  const look = async (): Promise<void> => {
    try {
      const newText = await readFile(file, 'utf8');
      if (newText !== text) {
        const next = parse(newText);
        const removed = [...current.keys()].filter((kid) => !next.has(kid));
        text = newText;
        current = next;
        log.info('signing keys reloaded', { kids: [...next.keys()], removed });
        for (const listener of listeners) listener(removed);
      }
      lastProblem = undefined;
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== lastProblem)
        log.error('failed to reload signing keys, keeping the current ones', { file, problem });
      lastProblem = problem;
    }
    schedule();
  };
  const schedule = (): void => {
    if (!closed) timer = setTimeout(() => void look(), everyMs).unref();
  };
  schedule();

  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function fixedKeys(set: KeySet): Keys {
  return { current: () => set, onChange: () => {}, close: () => {} };
}

function firstText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`the signing keys' file ${problemOf(error)}`);
  }
}

/** File system errors contain at most a path, our own errors no key material. */
function problemOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`;
}
