import type { Ending } from './ending.ts';

/** The session that is signed in. */
export interface CurrentSession {
  readonly id: string;
  readonly accountId: string;
  readonly role: string;
  /** The identity provider that was used to sign in. */
  readonly provider?: string | undefined;
  /** Whether the session may not chat (ping status 2). */
  readonly isRestricted: boolean;
}

/** The state for rendering. Each change creates a new object; until then it stays the same object. */
export type ClientState =
  /** The stored session is still being read. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-in'; readonly session: CurrentSession }
  /** `ending`: how the previous session ended, if there was one. */
  | { readonly kind: 'signed-out'; readonly ending?: Ending | undefined };

export interface ClientEvents {
  /** Somebody signed in, in this tab or another one. */
  'signed-in': { session: CurrentSession };
  ended: Ending;
  restricted: { session: CurrentSession };
  restored: { session: CurrentSession };
}

/** The state of a client and its listeners: each change is reported once. */
export function createStateStore() {
  let state: ClientState = { kind: 'starting' };
  const listeners = new Map<string, Set<(event: never) => void>>();

  const emit = (name: string, event?: object): void => {
    // An exception in one listener must not affect the others or the client.
    for (const listener of listeners.get(name) ?? []) queueMicrotask(() => listener(event as never)); // stored by event name
  };
  const set = <K extends keyof ClientEvents>(next: ClientState, name?: K, event?: ClientEvents[K]): void => {
    state = next;
    emit('change');
    if (name !== undefined) emit(name, event);
  };
  const session = (): CurrentSession | undefined => (state.kind === 'signed-in' ? state.session : undefined);
  const listen = (name: string, listener: (event: never) => void): (() => void) => {
    const others = listeners.get(name) ?? new Set();
    listeners.set(name, others.add(listener));
    return () => void others.delete(listener);
  };

  return {
    get: (): ClientState => state,
    session,
    signIn: ({ id, accountId, role, provider }: Omit<CurrentSession, 'isRestricted'>): void => {
      if (session()?.id === id) return;
      const signedIn = { id, accountId, role, provider, isRestricted: false };
      set({ kind: 'signed-in', session: signedIn }, 'signed-in', { session: signedIn });
    },
    signOut: (ending?: Ending): void => {
      if (session() !== undefined) set({ kind: 'signed-out', ending }, 'ended', ending);
      else if (state.kind === 'starting') set({ kind: 'signed-out' });
    },
    restrict: (isRestricted: boolean): void => {
      const before = session();
      if (before === undefined || before.isRestricted === isRestricted) return;
      const after = { ...before, isRestricted };
      set({ kind: 'signed-in', session: after }, isRestricted ? 'restricted' : 'restored', {
        session: after,
      });
    },
    subscribe: (watcher: () => void): (() => void) => listen('change', watcher),
    on: <K extends keyof ClientEvents>(name: K, listener: (event: ClientEvents[K]) => void): (() => void) =>
      listen(name, listener),
  };
}

export type StateStore = ReturnType<typeof createStateStore>;
