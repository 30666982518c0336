/** What a page keeps in a browser, as long as a test needs it. */
export function inMemory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** Lets the tests around keep something, each on its own. Without it they run in a browser that keeps nothing. */
export function withLocalStorage(): void {
  beforeEach(() => void Object.assign(globalThis, { localStorage: inMemory() }));
  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));
}
