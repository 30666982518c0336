/** A list in which every operation takes the same time, however long it is. */
export interface Chain<T> {
  first: Link<T> | undefined;
  last: Link<T> | undefined;
}

/** A value’s place in a chain. */
export interface Link<T> {
  readonly value: T;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}

/** Adds a value at the end. */
export function push<T>(chain: Chain<T>, value: T): Link<T> {
  const link: Link<T> = { value, before: chain.last, after: undefined };
  if (chain.last === undefined) chain.first = link;
  else chain.last.after = link;
  chain.last = link;
  return link;
}

/** Removes a link, which must be in the chain. */
export function remove<T>(chain: Chain<T>, link: Link<T>): void {
  const { before, after } = link;
  if (before === undefined) chain.first = after;
  else before.after = after;
  if (after === undefined) chain.last = before;
  else after.before = before;
  // Otherwise an old link that was removed would keep all later ones from being collected.
  link.before = link.after = undefined;
}
