import type { Ending } from './ending.ts';

/** Who is signed in. */
export interface CurrentSession {
  readonly id: string;
  readonly accountId: string;
  readonly role: string;
  /** The identity provider that it was signed on with. */
  readonly provider?: string | undefined;
  /** Whether it may not chat (ping status 2). */
  readonly isRestricted: boolean;
}

/** What a screen has to know. A new object for every change, and the same one until then. */
export type ClientState =
  /** What the browser keeps is still being read. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-in'; readonly session: CurrentSession }
  /** With the ending of the session that was there before, if there was one. */
  | { readonly kind: 'signed-out'; readonly ending?: Ending | undefined };

export interface ClientEvents {
  /** In this tab or in another one. */
  'signed-in': { session: CurrentSession };
  ended: Ending;
  restricted: { session: CurrentSession };
  restored: { session: CurrentSession };
}

/** The state of a client, and who is told of its changes: each change once. */
export function createStateStore() {
  let state: ClientState = { kind: 'starting' };
  const watchers = new Set<() => void>();
  const listeners = new Map<keyof ClientEvents, Set<(event: never) => void>>();

  const set = (next: ClientState): void => {
    state = next;
    for (const watcher of watchers) queueMicrotask(watcher);
  };
  const emit = <K extends keyof ClientEvents>(name: K, event: ClientEvents[K]): void => {
    // An exception of a listener is its own.
    for (const listener of listeners.get(name) ?? []) queueMicrotask(() => listener(event as never)); // `on` keeps them by name
  };

  return {
    get: (): ClientState => state,
    session: (): CurrentSession | undefined => (state.kind === 'signed-in' ? state.session : undefined),
    signIn: (session: CurrentSession): void => {
      set({ kind: 'signed-in', session });
      emit('signed-in', { session });
    },
    signOut: (ending?: Ending): void => {
      const wasIn = state.kind === 'signed-in';
      set({ kind: 'signed-out', ending: wasIn ? ending : undefined });
      if (wasIn && ending !== undefined) emit('ended', ending);
    },
    restrict: (isRestricted: boolean): void => {
      if (state.kind !== 'signed-in' || state.session.isRestricted === isRestricted) return;
      const session = { ...state.session, isRestricted };
      set({ kind: 'signed-in', session });
      emit(isRestricted ? 'restricted' : 'restored', { session });
    },
    subscribe: (watcher: () => void): (() => void) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    on: <K extends keyof ClientEvents>(name: K, listener: (event: ClientEvents[K]) => void): (() => void) => {
      const others = listeners.get(name) ?? new Set();
      listeners.set(name, others.add(listener));
      return () => void others.delete(listener);
    },
  };
}

export type StateStore = ReturnType<typeof createStateStore>;
