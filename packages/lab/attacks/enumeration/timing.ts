import { randomInt } from 'node:crypto';
import { shuffled } from '@gatehouse/runtime/testing';

/** A class of inputs that must be indistinguishable from the others, and how to send one more request for it. */
export interface Class {
  name: string;
  /** Takes one sample. Returns the duration of the response in milliseconds. */
  take: () => Promise<number>;
}

/**
 * How much a class's median may differ from that of all classes.
 */
const TOLERANCE = 0.1;
/** The difference that clock, scheduler and network stack may cause for equal work. */
const CLOCK_MS = 1.5;
/** In standard deviations: the reach of an interval that misses the true median once in a thousand times. */
const REACH = 3.29;
const BLOCKS_MIN = 16;
const BLOCKS_MORE = 8;
const BLOCKS_MAX = 96;
/** On a busy machine, the result is based on the samples taken until then. */
const BUDGET_MS = 40_000;
/**
 * Compares how long the classes take. A block sends one request for every class, in random order, and divides each
 * time by the median of the block: other load on the machine affects all classes equally and cancels out. For each
 * class, an interval that contains the true median of its shares is computed, without assumptions about their
 * distribution (an inverted sign test). Blocks are added until every interval is within the tolerance, or until one is
 * completely outside, which is the result. If it is still undecided after the last block, a class differs if its
 * median is outside the tolerance and its interval does not include the time of the other classes. So equal classes
 * fail at most once in a thousand times, even if a busy machine gives few samples. `blocksAtOnce` must be so few that
 * the requests do not wait for each other, which would widen the intervals.
 */
export async function differenceOf(classes: readonly Class[], { blocksAtOnce }: { blocksAtOnce: number }) {
  const blocks: Block[] = [];
  let verdicts: Verdict[] = [];
  const deadline = performance.now() + BUDGET_MS;
  for (let wanted = BLOCKS_MIN; wanted <= BLOCKS_MAX; wanted += BLOCKS_MORE) {
    const missing = Array.from({ length: wanted - blocks.length }).values();
    const takeBlocks = async (): Promise<void> => {
      for (const _ of missing) blocks.push(await takeBlock(classes));
    };
    await Promise.all(Array.from({ length: blocksAtOnce }, takeBlocks));
    verdicts = classes.map(({ name }) => judge(name, blocks));
    if (verdicts.some(({ isBeyond }) => isBeyond)) break;
    if (verdicts.every(({ isWithin }) => isWithin)) return undefined;
    if (performance.now() > deadline) break;
  }
  return verdicts.some(({ isFar }) => isFar) ? tell(verdicts, blocks.length) : undefined;
}

/** The time of each class, by name. */
type Block = ReadonlyMap<string, number>;

async function takeBlock(classes: readonly Class[]): Promise<Block> {
  const block = new Map<string, number>();
  // So that no class always follows the same other class.
  for (const { name, take } of shuffled(classes, randomInt(2 ** 31))) block.set(name, await take());
  return block;
}

interface Verdict {
  name: string;
  /** The interval for the median of the shares, minus one: 0.1 is a tenth longer than the others. */
  from: number;
  to: number;
  /** Both ends are within the tolerance, or both are outside it on the same side. */
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
