/**
 * A dependency did not do its part in time. HTTP answers 503 with `Retry-After`; a queue consumer tries again.
 * The message names the dependency and is safe to log; the cause holds what it said.
 */
export class Unavailable extends Error {
  override name = 'Unavailable';
  readonly dependency: string;
  /** The seconds after which a caller should try again. */
  readonly retryAfterSeconds: number;

  constructor(dependency: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(`${dependency} is unavailable`, { cause: options.cause });
    this.dependency = dependency;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 2;
  }
}
