/**
 * Merges defaults, the caller's settings and fixed settings; later ones override earlier ones. `NAME` and `NAME_FILE`
 * are two spellings of one setting: the one that wins removes the other.
 */
export function environment(
  settings: NodeJS.ProcessEnv,
  standard: Record<string, string>,
  fixed: Record<string, string>,
): NodeJS.ProcessEnv {
  const result = new Map<string, string>();
  for (const layer of [standard, settings, fixed]) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined || value === '') continue;
      result.delete(otherSpelling(name));
      result.set(name, value);
    }
  }
  return Object.fromEntries(result);
}

function otherSpelling(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}
