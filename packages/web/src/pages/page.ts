import { PAGE_PATHS as PATHS } from '@gatehouse/schema/page-paths';
import { type Context, createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { type Fragment, takeFragment } from '../ui/browser.ts';
import { type MessageKey, pageData } from '../ui/locale.ts';
import type { Step } from './login/steps.ts';

/** The data that pages share, in memory only. */
interface State {
  /** The fields after the `#` of the last link, and the page that it opened. */
  arrival: { path: string; said: Fragment };
  /** The email address that the visitor has typed, or that was in a link. */
  email: string;
  isLanguageAsked: boolean;
  /** Whether the visitor has reset the password on these pages: whoever knew the old one may have left other ways in. */
  hasReset?: boolean;
  /** The account that was registered in this tab, and its password, until the tab has signed in with it. */
  registered?: { email: string; password: string } | undefined;
  /** The step of a login that began on another page and needs more than the password that was typed there. */
  begun?: Step | undefined;
  /** What has been done on the page before, which the next one says first. */
  news?: MessageKey | undefined;
  /** Whether the visitor is ending the session on this page, which needs no explanation. */
  isLeaving?: boolean;
  /** The API's error that reported the end of the last session. */
  ending?: Problem;
}

export function useSharedState(said: Fragment) {
  const [state, setState] = useState<State>(() => ({
    arrival: { path: location.pathname, said },
    email: said['Email'] ?? '',
    isLanguageAsked: new URLSearchParams(location.search).has('locale'),
  }));
  const set = (next: Partial<State>): void => setState((last) => ({ ...last, ...next }));
  useEffect(() => {
    // A mail link that is opened on a page that is already open does not reload it.
    const onHashChange = (): void => {
      const brought = takeFragment(location, history);
      if (Object.keys(brought).length === 0) return;
      const { Email: email } = brought;
      set({ arrival: { path: location.pathname, said: brought }, ...(email !== undefined && { email }) });
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  /** Passes data to the page at `path`, as a link to it would. */
  const bring = (path: string, brought: Fragment): void => set({ arrival: { path, said: brought } });
  return {
    ...state,
    set,
    bring,
    /** Called when the data of the link has been used. */
    forgetFragment: () => bring('', {}),
    /** Called when these news have been said; newer ones stay for the next page. */
    forgetNews: (news: MessageKey | undefined) =>
      setState((last) => (last.news === news ? { ...last, news: undefined } : last)),
  };
}

export const PageStateContext = createContext<ReturnType<typeof useSharedState> | undefined>(undefined);

/** The address of this page, the data of the link to it, and what it shares with the others. */
export function usePage() {
  const { arrival, ...shared } = useAround(PageStateContext);
  const place = useLocation();
  // Other pages cannot see it, because a code is only for the linked page.
  const said: Fragment = arrival.path === place.path ? arrival.said : {};
  return { ...shared, ...place, said };
}

/** What a component around this one provides. */
export function useAround<T>(context: Context<T | undefined>): T {
  const value = useContext(context);
  if (value === undefined) throw new Error('nothing around this component provides it');
  return value;
}

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
