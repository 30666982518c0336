import { PAGE_PATHS as PATHS } from '@gatehouse/schema/page-paths';
import { useLocation } from 'preact-iso';
import { pageData } from '../ui/locale.ts';

export { PATHS };

/** The parameter of the login page with which a signed-in user is asked to sign in again, to prove their identity. */
export const AGAIN = 'again';

/** Where to go after a login, what the app there gets back with the code for its server, and the slot that the session takes. */
export interface Return {
  returnUrl?: string | undefined;
  state?: string | undefined;
  codeChallenge?: string | undefined;
  sessionTag?: string | undefined;
}

/** The parameters of a login page's address that say where to go afterwards. */
export function returnIn({ returnUrl, state, codeChallenge, sessionTag }: Record<string, string>): Return {
  return { returnUrl, state, codeChallenge, sessionTag };
}

/** The address of another page on the way to a login, which passes on where to go afterwards. */
export function onTheWay(path: string, back: Return & { reason?: string }): string {
  const said = Object.entries(back).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said).toString()}`;
}

/** The address to open after a login. What was wanted opens if it is an account page, or `allowed` by the service. */
export function destinationOf(
  wanted: string | undefined,
  allowed: string | undefined,
  app: string | undefined,
): string {
  return wanted !== undefined && isOwnPage(wanted) ? wanted : (allowed ?? app ?? PATHS.profile);
}

/** Whether the address is one of these pages, which opens without a reload and so keeps the data of its link. */
export function isOwnPage(destination: string): boolean {
  return Object.values<string>(PATHS).includes(destination) || isAuthorization(destination);
}

/** Whether the address is the page at which an app asks for a sign-in, with its request and nothing else. */
export function isAuthorization(destination: string): boolean {
  return destination.startsWith(`${PATHS.authorize}?`) && !destination.includes('#');
}

/** The open page, as the way back from a login. Only a request for a sign-in is more than its path. */
export function thisPage({ pathname, search }: Pick<Location, 'pathname' | 'search'> = location): string {
  return isAuthorization(pathname + search) ? pathname + search : pathname;
}

/** Opens the app that asked for a sign-in, or else the usual one or the profile, without the login page. */
export function useOpenAccount({ returnUrl }: Return = {}): () => void {
  const { route } = useLocation();
  const { AppUrl } = pageData;
  if (returnUrl !== undefined && isAuthorization(returnUrl)) return () => route(returnUrl, true);
  return () => (AppUrl === undefined ? route(PATHS.profile, true) : location.assign(AppUrl));
}
