/** A request in progress, as an element of the list below. */
export interface Link {
  before: Link | undefined;
  after: Link | undefined;
  /** The deadline in `performance.now()` time: of our response, or of the client’s body. */
  dueAt: number;
  /** Called when the deadline has passed. */
  expire(): void;
}

const LOOK_MS = 200;

/**
 * The requests in progress, in order of arrival, whose deadlines are checked while there are any. It is a linked list
 * through the requests themselves: a Set, which grows and shrinks with every request, costs the busiest calls a tenth
 * of their speed in garbage collection.
 */
export class InFlight {
  size = 0;
  #first: Link | undefined;
  #last: Link | undefined;
  #watch: NodeJS.Timeout | undefined;

  add(link: Link): void {
    link.before = this.#last;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.size += 1;
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Removes a request that is in the list. */
  remove(link: Link): void {
    if (link.before === undefined) this.#first = link.after;
    else link.before.after = link.after;
    if (link.after === undefined) this.#last = link.before;
    else link.after.before = link.before;
    link.before = link.after = undefined;
    this.size -= 1;
  }

  #look(): void {
    if (this.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    const now = performance.now();
    for (let link = this.#first; link !== undefined;) {
      const next: Link | undefined = link.after;
      if (link.dueAt < now) link.expire();
      link = next;
    }
  }
}
