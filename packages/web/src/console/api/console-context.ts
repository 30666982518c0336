import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { QueryClient } from '@tanstack/query-core';
import type { Answer, CallApi } from './call-api.ts';

/** The signed-in administrator and their session. */
export type Me = Answer<'GET /console/session'>;

/** Functions and data that every screen can use. */
export interface ConsoleTools {
  callApi: CallApi;
  client: QueryClient;
  me: Me;
  /** Shows a short message for a few seconds. */
  toast: (words: string) => void;
  signOut: () => void;
}

export const ConsoleContext = createContext<ConsoleTools | undefined>(undefined);

export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext);
  if (tools === undefined) throw new Error('there is no console around this component');
  return tools;
}
