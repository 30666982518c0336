import { createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { type Fragment, takeFragment } from '../ui/browser.ts';
import type { MessageKey } from '../ui/locale.ts';
import type { Step } from './login/steps.ts';

/**
 * The data that pages share, in memory only.
 *
 * @param first the fields after the `#` of the address.
 */
export function useSharedState(first: Fragment) {
  /** The fields after the `#` of the last link, and the page that it opened. */
  const [arrival, setArrival] = useState(() => ({ path: location.pathname, said: first }));
  /** The email address that the visitor has typed, or that was in a link. */
  const [email, setEmail] = useState(first['Email'] ?? '');
  /** Whether the address of the page named its language. */
  const [isLanguageAsked] = useState(() => new URLSearchParams(location.search).has('locale'));
  /** Whether the visitor has reset the password on these pages: whoever knew the old one may have left other ways in. */
  const [hasReset, setReset] = useState(false);
  /** The account that was registered in this tab, and its password, until the tab has signed in with it. */
  const [registered, setRegistered] = useState<{ email: string; password: string }>();
  /** The step of a login that began on another page and needs more than the password that was typed there. */
  const [begun, setBegun] = useState<Step>();
  /** What has been done on the page before, which the next one says first. */
  const [news, setNews] = useState<MessageKey>();
  /** Whether the visitor is ending the session on this page, which needs no explanation. */
  const [isLeaving, setLeaving] = useState(false);
  /** The API's error that reported the end of the last session. */
  const [ending, setEnding] = useState<Problem>();
  useEffect(() => {
    // A mail link that is opened on a page that is already open does not reload it.
    const onHashChange = (): void => {
      const brought = takeFragment(location, history);
      if (Object.keys(brought).length === 0) return;
      setArrival({ path: location.pathname, said: brought });
      if (brought['Email'] !== undefined) setEmail(brought['Email']);
    };
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  /** Passes data to the page at `path`, as a link to it would. */
  const bring = (path: string, said: Fragment): void => setArrival({ path, said });
  /** Called when the data of the link has been used. */
  const forgetFragment = (): void => bring('', {});
  return {
    ...{ arrival, bring, forgetFragment, email, setEmail, isLanguageAsked, hasReset, setReset },
    ...{ begun, setBegun, news, setNews },
    ...{ registered, setRegistered, isLeaving, setLeaving, ending, setEnding },
  };
}

type PageState = ReturnType<typeof useSharedState>;

export const PageStateContext = createContext<PageState | undefined>(undefined);

export function usePageState(): PageState {
  const state = useContext(PageStateContext);
  if (state === undefined) throw new Error('there is no page around this component');
  return state;
}

/** The data of the link to this page. Other pages cannot see it, because a code is only for the linked page. */
export function useFragment(): Fragment {
  const { path } = useLocation();
  const { arrival } = usePageState();
  return arrival.path === path ? arrival.said : {};
}
