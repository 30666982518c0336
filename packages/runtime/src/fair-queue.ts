/** The groups of an item: a large one, and a smaller one inside of it. */
export type Path = readonly [outer: string, inner: string];

/** A group of items (the smaller ones) or of groups. */
interface Group<T> {
  readonly name: string;
  readonly parent: Group<T> | undefined;
  size: number;
  readonly items: Chain<T>;
  readonly groups: Map<string, Group<T>>;
  /** The inner groups in the order of their turns … */
  readonly turns: Chain<Group<T>>;
  /** … and by size, with the largest size: the longest group is found without a search. */
  readonly bySize: Chain<Group<T>>[];
  largest: number;
  /** This group's places in the chains of its parent. */
  turn: Link<Group<T>> | undefined;
  peer: Link<Group<T>> | undefined;
}

/**
 * Creates a queue of items in groups of groups, in which every operation takes the same time, however many wait. It has
 * `placesMax` places, all of which one group may have while nobody else waits. Whoever comes when there
 * is no place displaces the last item of the longest outer group, or else of the longest one inside of their own, provided
 * that this group then still has as many as theirs.
 */
export function createFairQueue<T>(placesMax: number) {
  const root = newGroup<T>('', undefined);
  const places = new Map<T, { group: Group<T>; link: Link<T> }>();

  const remove = (item: T): void => {
    const place = places.get(item);
    if (place === undefined) return;
    places.delete(item);
    unlink(place.group.items, place.link);
    resize(place.group, -1);
  };

  /** The group in which one must make room for such an item; `false` if the item's own group has its part already. */
  const crowdedFor = (path: Path | undefined): Group<T> | false | undefined => {
    if (root.size < placesMax) return undefined;
    const [outerName, innerName] = path ?? NOBODY;
    const outer = root.groups.get(outerName);
    if (isCrowded(root, outer)) return root;
    return outer !== undefined && isCrowded(outer, outer.groups.get(innerName)) && outer;
  };

  const removeLast = (full: Group<T>): T | undefined => {
    const longest = longestIn(full) ?? full;
    const last = (longestIn(longest) ?? longest).items.last;
    if (last !== undefined) remove(last.value);
    return last?.value;
  };

  return {
    /** Adds an item; `isAdded` is `false` if there is no place for it. `displaced` has lost its place to it. */
    add(item: T, path: Path | undefined): { isAdded: boolean; displaced?: T } {
      const full = crowdedFor(path);
      if (full === false) return { isAdded: false };
      const displaced = full && removeLast(full);
      const [outer, inner] = path ?? NOBODY;
      const group = groupIn(groupIn(root, outer), inner);
      places.set(item, { group, link: push(group.items, item) });
      resize(group, 1);
      return displaced === undefined ? { isAdded: true } : { isAdded: true, displaced };
    },

    /** Whether `add` would add such an item. */
    hasPlace: (path: Path | undefined): boolean => crowdedFor(path) !== false,

    /** Removes and returns the next item: groups take turns, and so do the groups inside of a group. */
    take(): T | undefined {
      const outer = nextIn(root);
      const item = outer && nextIn(outer)?.items.first?.value;
      if (item !== undefined) remove(item);
      return item;
    },

    remove,
    size: () => root.size,
  };
}

const NOBODY: Path = ['', ''];

/** Whether the longest group inside of this one has so many more than `own` that it still has as many with one less. */
function isCrowded<T>(group: Group<T>, own: Group<T> | undefined): boolean {
  return (longestIn(group)?.size ?? 0) >= (own?.size ?? 0) + 2;
}

function newGroup<T>(name: string, parent: Group<T> | undefined): Group<T> {
  return {
    name,
    parent,
    size: 0,
    items: { first: undefined, last: undefined },
    groups: new Map(),
    turns: { first: undefined, last: undefined },
    bySize: [],
    largest: 0,
    turn: undefined,
    peer: undefined,
  };
}

/** The group of this name; a new one has the last turn. */
function groupIn<T>(parent: Group<T>, name: string): Group<T> {
  const known = parent.groups.get(name);
  if (known !== undefined) return known;
  const group = newGroup(name, parent);
  parent.groups.set(name, group);
  group.turn = push(parent.turns, group);
  return group;
}

/** The group whose turn it is; its next turn is the last. */
function nextIn<T>({ turns }: Group<T>): Group<T> | undefined {
  const link = turns.first;
  if (link === undefined) return undefined;
  unlink(turns, link);
  link.value.turn = push(turns, link.value);
  return link.value;
}

function longestIn<T>({ bySize, largest }: Group<T>): Group<T> | undefined {
  return bySize[largest]?.first?.value;
}

/** Counts an item more or less in a group and in those around it; an empty group is forgotten. */
function resize<T>(group: Group<T>, by: 1 | -1): void {
  const { parent } = group;
  const before = group.size;
  group.size += by;
  if (parent === undefined) return;
  const { bySize } = parent;
  if (group.peer !== undefined) unlink(peersIn(bySize, before), group.peer);
  group.peer = group.size === 0 ? undefined : push(peersIn(bySize, group.size), group);
  if (group.size > parent.largest || peersIn(bySize, parent.largest).first === undefined)
    parent.largest = group.size;
  if (group.size === 0) {
    parent.groups.delete(group.name);
    if (group.turn !== undefined) unlink(parent.turns, group.turn);
  }
  resize(parent, by);
}

function peersIn<T>(bySize: Chain<Group<T>>[], size: number): Chain<Group<T>> {
  return (bySize[size] ??= { first: undefined, last: undefined });
}

/** A list in which every operation takes the same time, however long it is. */
interface Chain<T> {
  first: Link<T> | undefined;
  last: Link<T> | undefined;
}

interface Link<T> {
  readonly value: T;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}

function push<T>(chain: Chain<T>, value: T): Link<T> {
  const link: Link<T> = { value, before: chain.last, after: undefined };
  if (chain.last === undefined) chain.first = link;
  else chain.last.after = link;
  chain.last = link;
  return link;
}

/** Removes a link, which must be in the chain. */
function unlink<T>(chain: Chain<T>, link: Link<T>): void {
  const { before, after } = link;
  if (before === undefined) chain.first = after;
  else before.after = after;
  if (after === undefined) chain.last = before;
  else after.before = before;
  // Otherwise an old link that was removed would keep all later ones from being collected.
  link.before = link.after = undefined;
}
