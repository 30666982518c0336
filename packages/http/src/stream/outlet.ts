/**
 * Text on its way to one client: what is put in before the client has taken the last of it waits as one piece. Made for
 * a `Reply.stream`, which calls `return` as soon as the client is gone; `onClose` then frees what fills the outlet.
 */
export class Outlet implements AsyncIterableIterator<string> {
  #waiting = '';
  #isOpen = true;
  #taker: ((result: IteratorResult<string, undefined>) => void) | undefined;
  #emptied: (() => void) | undefined;
  readonly #onClose: () => void;
  readonly #lengthMax: number;

  constructor(onClose: () => void, lengthMax = 1_048_576) {
    this.#onClose = onClose;
    this.#lengthMax = lengthMax;
  }

  /** What waits for a client that is slow. */
  get waiting(): string {
    return this.#waiting;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Adds text. A client with too much unread text is disconnected; it reconnects and asks for what it missed. */
  put(text: string): void {
    if (!this.#isOpen || text === '') return;
    this.#waiting += text;
    if (this.#waiting.length > this.#lengthMax) this.cut();
    else this.#hand();
  }

  /** Puts text in the place of what waits. */
  replace(text: string): void {
    this.#waiting = '';
    this.put(text);
  }

  /** Resolves once the client has taken everything, or is gone. */
  async drained(): Promise<void> {
    if (this.#waiting === '' || !this.#isOpen) return;
    await new Promise<void>((resolve) => (this.#emptied = resolve));
  }

  /** Ends the stream after what waits. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#hand();
    this.#onClose();
  }

  /** Ends the stream without what waits. */
  cut(): void {
    this.#waiting = '';
    this.end();
    this.#hand();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<string, undefined>> {
    return new Promise((resolve) => {
      this.#taker = resolve;
      this.#hand();
    });
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.cut();
    return Promise.resolve({ done: true, value: undefined });
  }

  #hand(): void {
    const text = this.#waiting;
    if (this.#taker !== undefined && (text !== '' || !this.#isOpen)) {
      const taker = this.#taker;
      this.#taker = undefined;
      this.#waiting = '';
      taker(text === '' ? { done: true, value: undefined } : { done: false, value: text });
    }
    if (this.#waiting === '' || !this.#isOpen) this.#emptied?.();
  }
}
