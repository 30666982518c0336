import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router } from 'preact-iso';
import type { Problem } from '../ui/api/api.ts';
import { type PageData, PageDataContext } from '../ui/api/page-data.ts';
import { PageStateContext, type PageState } from './page-state.ts';
import { takeFragment, type Fragment } from '../ui/fragment.ts';
import { PAGES } from './pages-by-path.ts';

interface AppProps {
  data: PageData;
  /** The fields after the `#` of the address. */
  fragment: Fragment;
}

/** All account pages. */
export function App({ data, fragment: first }: AppProps) {
  const [arrival, setArrival] = useState<PageState['arrival']>(() => ({
    path: location.pathname,
    said: first,
  }));
  const [email, setEmail] = useState(first['Email'] ?? '');
  const [isLanguageAsked] = useState(() => new URLSearchParams(location.search).has('locale'));
  const [hasReset, setReset] = useState(false);
  const [registered, setRegistered] = useState<PageState['registered']>();
  const [isLeaving, setLeaving] = useState(false);
  const [ending, setEnding] = useState<Problem>();
  const forgetFragment = (): void => setArrival(NOTHING);
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
  return (
    <PageDataContext.Provider value={data}>
      <PageStateContext.Provider
        value={{
          arrival,
          email,
          setEmail,
          forgetFragment,
          isLanguageAsked,
          hasReset,
          setReset,
          registered,
          setRegistered,
          isLeaving,
          setLeaving,
          ending,
          setEnding,
        }}
      >
        <LocationProvider scope={OURS}>
          <Router>
            {Object.entries(PAGES).map(([path, page]) => (
              <Route key={path} path={path} component={page} />
            ))}
          </Router>
        </LocationProvider>
      </PageStateContext.Provider>
    </PageDataContext.Provider>
  );
}

const NOTHING = { path: '', said: {} };

/** Links to other addresses are opened by the browser, not by the router. */
const OURS =
  /^\/(?:login|register|verify-email|forgot-password|reset-password|complete-account|register-guest|confirm-email|take-back-email|restore-account|oauth|profile)(?:\/[a-z-]+)?(?:[?#]|$)/;
