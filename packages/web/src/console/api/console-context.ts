import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { QueryClient } from '@tanstack/query-core';
import type { Answer, CallApi } from './call-api.ts';

/** Who is signed in. */
export type Me = Answer<'GET /console/session'>;

/** What every screen can use. */
export interface ConsoleTools {
  callApi: CallApi;
  client: QueryClient;
  me: Me;
  /** Says for a moment that something was done. */
  toast: (words: string) => void;
  signOut: () => void;
}

export const ConsoleContext = createContext<ConsoleTools | undefined>(undefined);

export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext);
  if (tools === undefined) throw new Error('there is no console around this component');
  return tools;
}
