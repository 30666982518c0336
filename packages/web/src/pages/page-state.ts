import { type Context, createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { type Fragment, takeFragment } from '../ui/browser.ts';
import type { MessageKey } from '../ui/locale.ts';
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
