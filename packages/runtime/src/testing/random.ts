/** Numbers from 0 to 1, the same for the same seed, so that failures can be reproduced (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = randomFrom(seed);
  const mixed = [...list];
  for (let end = mixed.length - 1; end > 0; end -= 1) {
    const at = Math.floor(random() * (end + 1));
    mixed.splice(end, 1, ...mixed.splice(at, 1, ...mixed.slice(end, end + 1)));
  }
  return mixed;
}
