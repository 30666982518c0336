/** The destination of a writer. */
export interface Sink {
  /** Sends text; `false`: the client takes it slowly, and `resume` is called once it takes more. */
  write(text: string): boolean;
  end(): void;
}

/**
 * Writes text to one client, for `eventStream`. Text that is added before the client has received the last of it is
 * buffered as one piece. `onClose` stops the source of the text, when the stream has ended or the client is gone.
 * Thousands are open for hours, so a writer has no promises and no iterator.
 */
export class StreamWriter {
  #waiting = '';
  #isOpen = true;
  #sink: Sink | undefined;
  #isFull = false;
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

  connect(sink: Sink): void {
    this.#sink = sink;
    this.#hand();
  }

  /** The client takes more. */
  resume(): void {
    this.#isFull = false;
    this.#hand();
  }

  /** The client is gone. */
  disconnect(): void {
    this.#sink = undefined;
    this.cut();
  }

  #hand(): void {
    const sink = this.#sink;
    if (sink !== undefined && !this.#isFull && this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      this.#isFull = !sink.write(text);
    }
    if (sink !== undefined && this.#waiting === '' && !this.#isOpen) {
      this.#sink = undefined;
      sink.end();
    }
    if (this.#waiting === '' || !this.#isOpen) this.#emptied?.();
  }
}
