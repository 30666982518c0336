type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-language';

/** The language that somebody has chosen for all pages in this browser. */
export function chosenLanguage(storeOf: () => Store): string | undefined {
  return inStore(storeOf, (store) => store.getItem(KEPT) ?? undefined);
}

/** Keeps the choice until another one. */
export function keepLanguage(language: string, storeOf: () => Store): void {
  inStore(storeOf, (store) => store.setItem(KEPT, language));
}

/** From now on the account's language counts again. */
export function forgetLanguage(storeOf: () => Store): void {
  inStore(storeOf, (store) => store.removeItem(KEPT));
}

/** Browsers may forbid pages to keep anything, by throwing. */
function inStore<T>(storeOf: () => Store, use: (store: Store) => T): T | undefined {
  try {
    return use(storeOf());
  } catch {
    return undefined;
  }
}
