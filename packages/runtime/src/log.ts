import { writeSync } from 'node:fs';
import winston from 'winston';
import Transport from 'winston-transport';

/** Facts beside a message. Ids yes; emails, tokens, codes never (they are redacted should they slip in). */
type Facts = Record<string, unknown>;

/** A log of JSON lines. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  /** The same log with facts that every line carries. */
  child(facts: Facts): Log;
  /** Writes out what waits; call it last. */
  flush(): void;
}

/**
 * A log that writes JSON lines to standard output, in batches, so that a request never waits for the terminal
 * or the disk. Secrets are redacted by the field's name and by the value's shape.
 */
export function createLog(options: { service: string; level?: string; write?: (text: string) => void }): Log {
  const lines = new BatchedLines(options.write ?? ((text) => writeAll(1, text)));
  const logger = winston.createLogger({
    level: options.level ?? 'info',
    defaultMeta: { service: options.service },
    format: winston.format((info) => redactFields(info))(),
    transports: [lines],
    exitOnError: false,
  });
  return view(logger, {}, () => lines.flush());
}

function view(logger: winston.Logger, facts: Facts, flush: () => void): Log {
  const at = (level: string) => (message: string, more?: Facts) => {
    logger.log(level, message, { ...facts, ...more });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (more) => view(logger, { ...facts, ...more }, flush),
    flush,
  };
}

/** A winston transport that gathers lines and writes them together, at most 50 ms or 64 KiB later. */
class BatchedLines extends Transport {
  #write: (text: string) => void;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void) {
    super();
    this.#write = write;
  }

  override log(info: Facts, next: () => void): void {
    const { level, message, service, ...facts } = info;
    const line = { at: new Date().toISOString(), level, service, message, ...facts };
    this.#waiting += `${JSON.stringify(line)}\n`;
    if (this.#waiting.length > 65_536 || level === 'error') this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), 50).unref();
    next();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.#write(text);
  }
}

/** A pipe that is full answers EAGAIN; the lines are worth the short wait, a reader that went away is not. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const SECRET_NAME = /password|secret|token|code$|authorization|cookie|pepper|api-?key|email/i;
const SECRET_SHAPE =
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+|\bsat_\w+|\b[\w-]{86}\b|\$2[aby]\$\d\d\$[./\w]{53}|(?<=:\/\/[^:/@\s]*:)[^@/\s]+(?=@)|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Redacts in place at the top level and copies what it must change below it. */
function redactFields(info: winston.Logform.TransformableInfo): winston.Logform.TransformableInfo {
  for (const key of Object.keys(info)) {
    if (key === 'level' || key === 'service') continue;
    info[key] = redact(key, info[key], 0);
  }
  return info;
}

function redact(key: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return SECRET_NAME.test(key) ? '[redacted]' : value.replace(SECRET_SHAPE, '[redacted]');
  }
  if (value === null || typeof value !== 'object' || depth > 4) return value;
  if (value instanceof Error) return redact(key, describe(value), depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redact(key, item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redact(name, inner, depth + 1)]),
  );
}

/** An error as facts. Its enumerable fields stay out: database drivers put parameter values there. */
function describe(error: Error): Facts {
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { errno: code } : {}),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describe(error.cause) } : {}),
  };
}
