import { v7 } from 'uuid';

/** Pseudorandom values that are the same in every run. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  isLucky(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  bytes(length: number): Buffer;
  /** A UUID version 7 with this time. */
  idAt(at: Date): string;
}

/** A small pseudorandom number generator (mulberry32). Good enough for demo data; not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => whole(0, 255)));
  return {
    next,
    whole,
    bytes,
    isLucky: (share) => next() < share,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
    idAt: (at) => v7({ msecs: at.getTime(), random: bytes(16) }),
  };
}
