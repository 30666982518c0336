import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import type { Fragment } from './fragment.ts';

/** What one page hands to the next, in memory alone: the fragment that it was opened with, and the address that was typed. */
export interface Carried {
  /** What the last link brought; codes are taken out once they were used. */
  fragment: Fragment;
  /** The address that this person has typed, or that a link has brought. */
  email: string;
  setEmail: (email: string) => void;
  /** Once what a link brought is used up. */
  forgetFragment: () => void;
  /** How the last session ended, as the API said it. */
  ending: Problem | undefined;
  setEnding: (ending: Problem) => void;
}

export const CarriedContext = createContext<Carried>({
  fragment: {},
  email: '',
  setEmail: () => undefined,
  forgetFragment: () => undefined,
  ending: undefined,
  setEnding: () => undefined,
});

export function useCarried(): Carried {
  return useContext(CarriedContext);
}
