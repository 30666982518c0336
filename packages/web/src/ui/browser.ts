type Place = 'localStorage' | 'sessionStorage';

/** Uses a storage of the browser. `undefined` if pages may not use it, which throws, or what is stored cannot be read. */
export function inStore<T>(place: Place, use: (store: Storage) => T): T | undefined {
  try {
    return use(globalThis[place]);
  } catch {
    return undefined;
  }
}

/** An object that the browser keeps under a key. Nothing of it is found where nothing was kept, or could be. */
export function keptIn<T extends object>(place: Place, key: string) {
  return {
    keep: (value: T): void => inStore(place, (store) => store.setItem(key, JSON.stringify(value))),
    find: (): Partial<T> =>
      // Only `keep` writes it, as other origins cannot.
      inStore(place, (store) => JSON.parse(store.getItem(key) ?? '{}') as Partial<T> | null) ?? {},
    forget: (): void => inStore(place, (store) => store.removeItem(key)),
  };
}

/** The fields after the `#`: codes and addresses from mail links. Browsers do not send them, so they are not logged. */
export type Fragment = Readonly<Record<string, string>>;

type Address = Pick<Location, 'hash' | 'pathname' | 'search'>;
type Past = Pick<History, 'replaceState'>;

/**
 * Removes the fragment from the address bar and the browser's history before other code can read it, and returns its
 * fields. Anybody can write a link: what is no address, and would be shown as text, is left out.
 */
export function takeFragment(place: Address, past: Past): Fragment {
  if (place.hash === '') return {};
  const said = Object.fromEntries(new URLSearchParams(place.hash.slice(1)));
  past.replaceState(null, '', place.pathname + place.search);
  for (const name of ['Email', 'Address'])
    if (said[name] !== undefined && !isAddress(said[name])) delete said[name];
  return said;
}

/** Whether text of a link can be an email address: it is shown on pages. */
export function isAddress(said: string): boolean {
  return ADDRESS.test(said);
}

/** Without spaces and control characters, and with a domain: no sentence. */
const ADDRESS = /^[^\s\p{C}\p{Z}@]{1,64}@[\p{L}\p{N}.-]{1,255}$/u;

export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
