import { createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext } from 'preact/hooks';
import type { Problem } from '../ui/api/api.ts';
import type { Fragment } from '../ui/fragment.ts';

/** The data that pages share, in memory only. */
export interface PageState {
  /** The fields after the `#` of the last link, and the page that it opened. */
  arrival: { path: string; said: Fragment };
  /** The email address that the visitor has typed, or that was in a link. */
  email: string;
  setEmail: (email: string) => void;
  /** Called when the data of the link has been used. */
  forgetFragment: () => void;
  /** Whether the address of the page named its language. */
  isLanguageAsked: boolean;
  /** Whether the visitor has reset the password on these pages: whoever knew the old one may have left other ways in. */
  hasReset: boolean;
  setReset: (hasReset: boolean) => void;
  /** The account that was registered in this tab, and its password, until the tab has signed in with it. */
  registered: { email: string; password: string } | undefined;
  setRegistered: (registered: PageState['registered']) => void;
  /** Whether the visitor is ending the session on this page, which needs no explanation. */
  isLeaving: boolean;
  setLeaving: (isLeaving: boolean) => void;
  /** The API's error that reported the end of the last session. */
  ending: Problem | undefined;
  setEnding: (ending: Problem) => void;
}

export const PageStateContext = createContext<PageState>({
  arrival: { path: '', said: {} },
  email: '',
  setEmail: () => undefined,
  forgetFragment: () => undefined,
  isLanguageAsked: false,
  hasReset: false,
  setReset: () => undefined,
  registered: undefined,
  setRegistered: () => undefined,
  isLeaving: false,
  setLeaving: () => undefined,
  ending: undefined,
  setEnding: () => undefined,
});

export function usePageState(): PageState {
  return useContext(PageStateContext);
}

/** The data of the link to this page. Other pages cannot see it, because a code is only for the linked page. */
export function useFragment(): Fragment {
  const { path } = useLocation();
  const { arrival } = usePageState();
  return arrival.path === path ? arrival.said : {};
}
