/** A request that is being worked on, as a link of the chain below. */
export interface Link {
  before: Link | undefined;
  after: Link | undefined;
  /** When something has to have come of it, by `performance.now()`: our answer, or the client's body. */
  dueAt: number;
  /** Gives up waiting. */
  expire(): void;
}

/**
 * The requests that are being worked on, in the order of their arrival. A chain through the requests themselves:
 * a Set, which grows and shrinks with every request, costs the busiest calls a tenth of their speed in garbage.
 */
export class InFlight {
  size = 0;
  #first: Link | undefined;
  #last: Link | undefined;

  add(link: Link): void {
    link.before = this.#last;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.size += 1;
  }

  /** Takes out a request that was added and not taken out yet. */
  remove(link: Link): void {
    if (link.before === undefined) this.#first = link.after;
    else link.before.after = link.after;
    if (link.after === undefined) this.#last = link.before;
    else link.after.before = link.before;
    link.before = link.after = undefined;
    this.size -= 1;
  }

  /** Gives up on every request that something should have come of by now. */
  expireDue(now: number): void {
    for (let link = this.#first; link !== undefined;) {
      const next: Link | undefined = link.after;
      if (link.dueAt < now) link.expire();
      link = next;
    }
  }
}
