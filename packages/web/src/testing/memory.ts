/** What a page keeps in a browser, as long as a test needs it. */
export function inMemory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** A browser that keeps nothing. */
export function noStorage(): never {
  throw new Error('no storage');
}
