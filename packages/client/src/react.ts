import { useSyncExternalStore } from 'react';
import type { GatehouseClient } from './create-client.ts';
import type { ClientState } from './session/state.ts';

const STARTING: ClientState = { kind: 'starting' };

/**
 * Who is signed in, for a component of React 18 or newer. The component renders again after every change, in any tab.
 * On a server, and until the page has read the stored session, the state is `starting`.
 */
export function useSession(auth: Pick<GatehouseClient, 'subscribe' | 'getState'>): ClientState {
  return useSyncExternalStore(auth.subscribe, auth.getState, () => STARTING);
}
