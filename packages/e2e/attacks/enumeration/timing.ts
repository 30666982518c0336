/** A class of inputs that must look like every other, and how to make one more request of it. */
export interface Class {
  name: string;
  /** Takes one sample; the milliseconds that the answer took. */
  take: () => Promise<number>;
}

/** How far a class's median may be from that of all (docs/attacks.md, which says what of it this can see). */
const TOLERANCE = 0.1;
/** What a clock, a scheduler and a network stack make of equal work. */
const CLOCK_MS = 1.5;
/** Of normal deviations: how far an interval reaches that misses the true median once in a thousand times. */
const REACH = 3.29;
const BLOCKS_MIN = 16;
const BLOCKS_MORE = 8;
const BLOCKS_MAX = 96;
/** On a machine that is busy otherwise, what was seen until then has to do. */
const BUDGET_MS = 40_000;
/** Most of the time of an answer is deliberate waiting: two cores handle this many without a queue. */
const BLOCKS_AT_ONCE = 4;

/**
 * Compares how long the classes take. A block asks every class once, in some order, and counts each by its share of
 * the block's median: whatever else the machine does falls on all of them alike and is divided out. Of each class's
 * shares the interval is taken that holds their true median, without any assumption about how they scatter (a sign
 * test turned around). Blocks are added until every interval lies within the tolerance, or one lies beyond it, which
 * is what is returned then. Of what is undecided after the last block, that is too far whose median is beyond the
 * tolerance and whose interval does not hold the others' time: equal classes fail once in a thousand times at most,
 * however little there is to be seen on a machine with other things to do.
 */
export async function differenceOf(classes: readonly Class[]): Promise<string | undefined> {
  const blocks: Block[] = [];
  let verdicts: Verdict[] = [];
  const deadline = performance.now() + BUDGET_MS;
  for (let wanted = BLOCKS_MIN; wanted <= BLOCKS_MAX; wanted += BLOCKS_MORE) {
    const missing = Array.from({ length: wanted - blocks.length }).values();
    const takeBlocks = async (): Promise<void> => {
      for (const _ of missing) blocks.push(await takeBlock(classes));
    };
    await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, takeBlocks));
    verdicts = classes.map(({ name }) => judge(name, blocks));
    if (verdicts.some(({ isBeyond }) => isBeyond)) break;
    if (verdicts.every(({ isWithin }) => isWithin)) return undefined;
    if (performance.now() > deadline) break;
  }
  return verdicts.some(({ isFar }) => isFar) ? tell(verdicts, blocks.length) : undefined;
}

/** What each class took, by name. */
type Block = ReadonlyMap<string, number>;

async function takeBlock(classes: readonly Class[]): Promise<Block> {
  const block = new Map<string, number>();
  for (const { name, take } of shuffled(classes)) block.set(name, await take());
  return block;
}

interface Verdict {
  name: string;
  /** Where the median of its shares is, less one: 0.1 is a tenth longer than the others. */
  from: number;
  to: number;
  /** Both are within the tolerance, or beyond it on the same side. */
  isWithin: boolean;
  isBeyond: boolean;
  isFar: boolean;
}

function judge(name: string, blocks: readonly Block[]): Verdict {
  const middles = blocks.map((block) => median([...block.values()]));
  const tolerance = Math.max(TOLERANCE, CLOCK_MS / median(middles));
  const shares = blocks
    .map((block, index) => (block.get(name) ?? NaN) / (middles[index] ?? NaN) - 1)
    .toSorted((a, b) => a - b);
  const reach = (REACH * Math.sqrt(shares.length)) / 2;
  const at = (rank: number): number => shares[Math.round((shares.length - 1) / 2 + rank)] ?? NaN;
  const [from, to] = [at(-reach), at(reach)];
  return {
    name,
    from,
    to,
    isWithin: from > -tolerance && to < tolerance,
    isBeyond: from > tolerance || to < -tolerance,
    isFar: Math.abs(at(0)) > tolerance && (from > 0 || to < 0),
  };
}

function tell(verdicts: readonly Verdict[], blocks: number): string {
  const percent = (share: number): string => `${share > 0 ? '+' : ''}${(100 * share).toFixed(0)}`;
  const intervals = verdicts.map(
    ({ name, from, to, isFar }) => `${isFar ? '! ' : ''}${name} ${percent(from)} to ${percent(to)} %`,
  );
  return `after ${blocks} blocks: ${intervals.join(', ')}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** In some order, so that no class always comes after the same other. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, by: Math.random() }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ one }) => one);
}
