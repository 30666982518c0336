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

/** The state of a client and its listeners: each change is reported once. */
export function createStateStore() {
  let state: ClientState = { kind: 'starting' };
  const listeners = new Map<string, Set<(event: never) => void>>();

  const emit = (name: string, event?: object): void => {
    // An exception of a listener is its own.
    for (const listener of listeners.get(name) ?? []) queueMicrotask(() => listener(event as never)); // `on` keeps them by name
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
