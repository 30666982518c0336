/**
 * Merges defaults, the caller's settings and fixed settings; later ones override earlier ones. `NAME` and `NAME_FILE`
 * are two spellings of one setting: the one that wins removes the other.
 */
export function environment(
  settings: NodeJS.ProcessEnv,
  standard: Record<string, string>,
  fixed: Record<string, string>,
): NodeJS.ProcessEnv {
  let result: NodeJS.ProcessEnv = {};
  for (const layer of [standard, settings, fixed]) {
    const given = Object.entries(layer).filter(([, value]) => value !== undefined && value !== '');
    const others = new Set(given.map(([name]) => otherSpelling(name)));
    const kept = Object.entries(result).filter(([name]) => !others.has(name));
    result = Object.fromEntries([...kept, ...given]);
  }
  return result;
}

function otherSpelling(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}
