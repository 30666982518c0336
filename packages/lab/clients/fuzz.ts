export type Pairs = [name: string, value: string][];

/** A request with up to three changes, and their names. */
export function mutated(
  valid: Readonly<Record<string, string>>,
  odd: Readonly<Record<string, readonly string[]>>,
  random: () => number,
): { pairs: Pairs; changes: string[] } {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error('there is nothing to pick from');
    return one;
  };
  let pairs: Pairs = Object.entries(valid);
  const changes: string[] = [];
  const times = Math.floor(random() * 4);
  for (let at = 0; at < times; at += 1) {
    const name = pick(Object.keys(odd));
    const has = pairs.some(([one]) => one === name);
    const roll = random();
    if (has && roll < 0.25) {
      pairs = pairs.filter(([one]) => one !== name);
      changes.push(`-${name}`);
    } else if (has && roll < 0.35) {
      const value = pairs.find(([one]) => one === name)?.[1] ?? '';
      pairs.push([name, value]);
      changes.push(`2x${name}`);
    } else {
      const value = pick(odd[name] ?? ['']);
      pairs = [...pairs.filter(([one]) => one !== name), [name, value]];
      changes.push(`${name}=${value}`);
    }
  }
  return { pairs, changes };
}

export function encoded(pairs: Pairs): string {
  return new URLSearchParams(pairs).toString();
}
