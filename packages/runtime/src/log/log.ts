import { writeSync } from 'node:fs';
import winston from 'winston';
import Transport from 'winston-transport';
import { redact, redactText } from './redact.ts';

/** Fields besides the message. Ids are allowed; emails, tokens and codes are not (they are redacted as a precaution). */
type Facts = Record<string, unknown>;

/** A log of JSON lines. No call throws. `at`, `level`, `service` and `message` are reserved names. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
  /**
   * Returns a function for a line that is written often, such as for each request. `json` contains fields that need no
   * redaction, as JSON members each after a comma; `more` are other fields. The line is added to the batch at once,
   * after all earlier lines.
   */
  repeated(level: 'debug' | 'info', message: string): (json: string, more?: Facts) => void;
  child(facts: Facts): Log;
  /** Writes all buffered lines; call it last. */
  flush(): void;
}

/**
 * Creates a log that writes JSON lines to standard output in batches, so that a request never waits for the terminal
 * or the disk. Secrets are redacted by the field's name and by the value's shape.
 */
export function createLog(options: { service: string; level?: string; write?: (text: string) => void }): Log {
  const lines = new BatchedLines(options.write ?? ((text) => writeAll(1, text)));
  const now = createClock();
  const logger = winston.createLogger({
    level: options.level ?? 'info',
    format: winston.format(withText)({ ...options, now }),
    transports: [lines],
    exitOnError: false,
  });
  const { service } = options;
  const parts = {
    logger,
    flush(): void {
      // A stream keeps its input until its first tick: unless it is read here, the message of a failed start is lost.
      while (logger.read() !== null);
      lines.flush();
    },
    // Winston’s two object streams would cost a request more than the rest of its logging.
    repeated(level: string, message: string, standing: Facts): (json: string, more?: Facts) => void {
      const own = { level, service, message: redactText(message) };
      const head = `,${JSON.stringify(own).slice(1, -1)}${membersOf(own, standing)}`;
      return (json, more) => {
        if (logger.readableLength > 0) while (logger.read() !== null);
        const text = more === undefined ? json : json + membersOf(own, more);
        lines.add(`{"at":"${now()}"${head}${text}}\n`);
      };
    },
  };
  return view(parts, undefined);
}

interface Parts {
  logger: winston.Logger;
  flush(): void;
  repeated(level: string, message: string, standing: Facts): ReturnType<Log['repeated']>;
}

function view(parts: Parts, standing: Facts | undefined): Log {
  const { logger, flush } = parts;
  const at = (level: string) => {
    if (!logger.isLevelEnabled(level)) return () => undefined;
    return (message: string, more: Facts = {}): void => {
      logger.log({ level, message, facts: standing === undefined ? more : { ...standing, ...more } });
      if (level === 'error') flush();
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    repeated: (level, message) =>
      logger.isLevelEnabled(level) ? parts.repeated(level, message, standing ?? {}) : () => undefined,
    child: (more) => view(parts, { ...standing, ...more }),
    flush,
  };
}

/** Stores the line's text in the property where winston expects it. */
function withText(info: winston.Logform.TransformableInfo, options: unknown) {
  // `createLog` sets the options, and only `view` writes to its logger.
  const { service, now } = options as { service: string; now: () => string };
  const { level, message, facts } = info as winston.Logform.TransformableInfo & { facts: Facts };
  const own = { level, service, message: redactText(String(message)) };
  info[TEXT] = `{"at":"${now()}",${JSON.stringify(own).slice(1, -1)}${membersOf(own, facts)}}`;
  return info;
}

const TEXT = Symbol.for('message');

/** Never throws: a field that cannot be read drops those after it. The fields of `own` are in the line already. */
function membersOf(own: object, facts: Facts): string {
  let text = '';
  try {
    for (const name of Object.keys(facts)) {
      if (name === 'at' || Object.hasOwn(own, name)) continue;
      const json: string | undefined = JSON.stringify(redact(name, facts[name]));
      if (json !== undefined) text += `,${JSON.stringify(name)}:${json}`;
    }
  } catch (error) {
    text += `,"unloggable":${JSON.stringify(redactText(String(error)))}`;
  }
  return text;
}

/** The time in ISO 8601 format; lines of the same millisecond share the text. */
function createClock(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

/** A winston transport that collects lines and writes them together, after at most 50 ms or 64 KiB. */
class BatchedLines extends Transport {
  #write: (text: string) => void;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void) {
    super();
    this.#write = write;
  }

  override log(info: { [TEXT]?: unknown }, next: () => void): void {
    this.add(`${String(info[TEXT])}\n`);
    next();
  }

  add(line: string): void {
    this.#waiting += line;
    if (this.#waiting.length > 65_536) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), 50);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.#write(text);
  }
}

/** Waits for a full pipe (EAGAIN), but not for long. Other failures lose lines rather than end the process. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  for (let waits = 0; rest.length > 0 && waits < FULL_PIPE_WAITS_MAX;) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_WAIT_MS);
      waits += 1;
    }
  }
}

const FULL_PIPE_WAIT_MS = 5;
const FULL_PIPE_WAITS_MAX = 100;
