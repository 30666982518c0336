import { createContext } from 'preact';
import { useLocation } from 'preact-iso';
import { useContext } from 'preact/hooks';
import type { Problem } from '../ui/api/api.ts';
import type { Fragment } from '../ui/fragment.ts';

/** What pages hand on, in memory alone. */
export interface Carried {
  /** What the last link brought behind its `#`, and the page that it led to. */
  arrival: { path: string; said: Fragment };
  /** The address that this person has typed, or that a link has brought. */
  email: string;
  setEmail: (email: string) => void;
  /** Once what a link brought is used up. */
  forgetFragment: () => void;
  /** Whether the page was opened in a language of its address. */
  isLanguageAsked: boolean;
  /** How the last session ended, as the API said it. */
  ending: Problem | undefined;
  setEnding: (ending: Problem) => void;
}

export const CarriedContext = createContext<Carried>({
  arrival: { path: '', said: {} },
  email: '',
  setEmail: () => undefined,
  forgetFragment: () => undefined,
  isLanguageAsked: false,
  ending: undefined,
  setEnding: () => undefined,
});

export function useCarried(): Carried {
  return useContext(CarriedContext);
}

/** What the link to this page brought; a code is for the page that it was sent to, and no other sees it. */
export function useFragment(): Fragment {
  const { path } = useLocation();
  const { arrival } = useCarried();
  return arrival.path === path ? arrival.said : {};
}
