/**
 * A dependency did not respond in time. HTTP responds with 503 and `Retry-After`; a queue consumer retries. The message
 * names the dependency and is safe to log; the cause contains the dependency's own error.
 */
export class Unavailable extends Error {
  override name = 'Unavailable';
  readonly dependency: string;
  readonly retryAfterSeconds: number;

  constructor(dependency: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(`${dependency} is unavailable`, { cause: options.cause });
    this.dependency = dependency;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 2;
  }
}

/** A value that cannot be stored, as text with U+0000. Do not retry: HTTP answers 400, a consumer parks the message. */
export class Unstorable extends Error {
  override name = 'Unstorable';
}
