import assert from 'node:assert/strict';
import { createFairQueue, type Path } from './fair-queue.ts';

interface Item {
  id: number;
  path: Path | undefined;
}

/** The same rules, found by searching. */
function createSlowQueue(placesMax: number) {
  let items: Item[] = [];
  const turns: string[] = [];
  const keysOf = ({ path = ['', ''] }: Pick<Item, 'path'>): [string, string] => [path[0], path.join(' ')];
  const within = (key: string): Item[] => items.filter((item) => keysOf(item).includes(key));
  const forgetEmpty = (): void => {
    for (const key of [...turns]) if (within(key).length === 0) turns.splice(turns.indexOf(key), 1);
  };
  const remove = (item: Item): void => {
    items = items.filter((each) => each !== item);
    forgetEmpty();
  };
  return {
    remove,
    size: () => items.length,
    groups: () => items.map(keysOf),
    /** The sizes of the groups from which an item may be displaced for this one; `undefined` if there is room. */
    add(item: Item, displaced: Item | undefined, isAdded: boolean): void {
      const [outer, inner] = keysOf(item);
      const isFull = items.length >= placesMax;
      assert.equal(displaced !== undefined || !isAdded, isFull);
      if (isFull) {
        const longestOuter = Math.max(...items.map((each) => within(keysOf(each)[0]).length));
        const isWithin = longestOuter < within(outer).length + 2;
        const level = isWithin ? 1 : 0;
        const candidates = isWithin ? within(outer) : items;
        const longest = Math.max(...candidates.map((each) => within(keysOf(each)[level]).length));
        assert.equal(isAdded, longest >= within([outer, inner][level] ?? '').length + 2);
        if (displaced !== undefined) {
          assert.equal(within(keysOf(displaced)[level]).length, longest);
          const group = within(keysOf(displaced)[1]);
          const groups = within(keysOf(displaced)[0]).map((each) => within(keysOf(each)[1]).length);
          assert.equal(group.length, Math.max(...groups), 'of the longest group inside of it');
          assert.equal(group.at(-1), displaced, 'the last of its group');
          remove(displaced);
        }
      }
      if (!isAdded) return;
      items.push(item);
      for (const key of keysOf(item)) if (!turns.includes(key)) turns.push(key);
    },
    take(): Item | undefined {
      const isOuter = (key: string): boolean => !key.includes(' ');
      const outer = turns.find(isOuter);
      if (outer === undefined) return undefined;
      const inner = turns.find((key) => !isOuter(key) && key.startsWith(`${outer} `)) ?? '';
      for (const key of [outer, inner]) turns.push(...turns.splice(turns.indexOf(key), 1));
      const [item] = within(inner);
      if (item !== undefined) remove(item);
      return item;
    },
  };
}

describe('createFairQueue', () => {
  it('does the same as a search, whatever comes', () => {
    for (const placesMax of [1, 4, 12, 40]) {
      const [queue, slow] = [createFairQueue<Item>(placesMax), createSlowQueue(placesMax)];
      const present: Item[] = [];
      // A fixed sequence that looks random: a linear congruential generator.
      let seed = placesMax;
      const random = (below: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return Math.floor((seed / 2 ** 31) * below);
      };
      for (let id = 0; id < 800; id += 1) {
        const kind = random(10);
        if (kind < 6) {
          const path: Path = [`n${random(5) * random(3)}`, `h${random(4)}`];
          const item: Item = { id, path: kind === 0 ? undefined : path };
          const hasPlace = queue.hasPlace(item.path);
          const { isAdded, displaced } = queue.add(item, item.path);
          assert.equal(isAdded, hasPlace);
          slow.add(item, displaced, isAdded);
          if (displaced !== undefined) present.splice(present.indexOf(displaced), 1);
          if (isAdded) present.push(item);
        } else if (kind < 9) {
          const taken = queue.take();
          assert.equal(taken, slow.take());
          if (taken !== undefined) present.splice(present.indexOf(taken), 1);
        } else if (present.length > 0) {
          const [item] = present.splice(random(present.length), 1);
          if (item === undefined) continue;
          queue.remove(item);
          slow.remove(item);
        }
        assert.equal(queue.size(), slow.size());
        assert.equal(queue.size(), present.length);
      }
    }
  });
});
