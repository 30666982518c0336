/** The fields after the `#`: codes and addresses from mail links. Browsers do not send them, so they are not logged. */
export type Fragment = Readonly<Record<string, string>>;

type Place = Pick<Location, 'hash' | 'pathname' | 'search'>;
type Past = Pick<History, 'replaceState'>;

/**
 * Removes the fragment from the address bar and the browser's history before other code can read it, and returns its
 * fields.
 */
export function takeFragment(place: Place, past: Past): Fragment {
  if (place.hash === '') return {};
  const said = Object.fromEntries(new URLSearchParams(place.hash.slice(1)));
  past.replaceState(null, '', place.pathname + place.search);
  return said;
}
