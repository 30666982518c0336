/**
 * Uses a storage of the browser. `undefined` if the browser does not allow pages to store data, when accessing it throws,
 * or if what is stored cannot be read.
 */
export function inStore<S, T>(storeOf: () => S, use: (store: S) => T): T | undefined {
  try {
    return use(storeOf());
  } catch {
    return undefined;
  }
}
