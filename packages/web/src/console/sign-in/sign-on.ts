import type { Fragment } from '../../ui/fragment.ts';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEPT = 'gatehouse-console-sign-on';

interface Kept {
  state: string;
  /** The screen to return to. */
  path: string;
  confirms: boolean;
}

/**
 * Returns the URL at which a sign-on at an identity provider begins. This tab stores a random `state` that the response
 * must contain, so that a link with an attacker's code cannot sign anybody in.
 */
export function beginSignOn(loginUrl: string, { path, confirms }: Omit<Kept, 'state'>, store: Store): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  store.setItem(KEPT, JSON.stringify({ state, path, confirms } satisfies Kept));
  const query = { console: 'true', ...(confirms && { confirm: 'true' }), state };
  return `${loginUrl}?${new URLSearchParams(query).toString()}`;
}

/** The response of a sign-on: a code, or an error. */
export type SignOn = ({ code: string } | { error: string }) & Partial<Pick<Kept, 'path' | 'confirms'>>;

/** Reads the response of a sign-on from the address. An error if this tab has no pending sign-on with its state. */
export function takeSignOn(fragment: Fragment, storeOf: () => Store): SignOn | undefined {
  const { SignOnCode: code, SignOnError: error, State: state } = fragment;
  if (code === undefined && error === undefined) return undefined;
  const store = storeOf();
  const text = store.getItem(KEPT);
  // Only `beginSignOn` writes this entry.
  const kept = text === null ? undefined : (JSON.parse(text) as Kept);
  if (kept === undefined || kept.state !== state) return { error: 'invalid_attempt' };
  store.removeItem(KEPT);
  const { path, confirms } = kept;
  if (code === undefined || error !== undefined) return { error: error ?? 'invalid_attempt', path, confirms };
  return { code, path, confirms };
}
