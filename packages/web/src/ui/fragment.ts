/** What came behind the `#`: codes and addresses of mails' links, which no server and no log has seen. */
export type Fragment = Readonly<Record<string, string>>;

type Place = Pick<Location, 'hash' | 'pathname' | 'search'>;
type Past = Pick<History, 'replaceState'>;

/**
 * Takes the fragment out of the address bar and of the browser's history, before anything else may look at it, and
 * gives back what it said.
 */
export function takeFragment(place: Place, past: Past): Fragment {
  if (place.hash === '') return {};
  const said = Object.fromEntries(new URLSearchParams(place.hash.slice(1)));
  past.replaceState(null, '', place.pathname + place.search);
  return said;
}
