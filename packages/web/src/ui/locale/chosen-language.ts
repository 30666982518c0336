import { inStore } from '../in-store.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-language';

/** The language that was chosen for all pages in this browser. */
export function chosenLanguage(storeOf: () => Store): string | undefined {
  return inStore(storeOf, (store) => store.getItem(KEPT) ?? undefined);
}

/** Stores the choice. */
export function keepLanguage(language: string, storeOf: () => Store): void {
  inStore(storeOf, (store) => store.setItem(KEPT, language));
}

/** Removes the choice, so that the account's language is used again. */
export function forgetLanguage(storeOf: () => Store): void {
  inStore(storeOf, (store) => store.removeItem(KEPT));
}
