/** The response of `POST /oauth/authorization`: what to do about an app's request for a sign-in. */
export type Authorization =
  | { Kind: 'Redirect'; Location: string }
  | { Kind: 'Login'; LoginHint?: string; Prompt?: string; SessionTag?: string; Since: number }
  | {
      Kind: 'Consent';
      Client: { Name: string };
      Scopes: string[];
      Email: string;
      ConsentTo: string;
      Since: number;
    }
  | { Kind: 'Refused'; Code: string };

type Store = () => Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'gatehouse-authorization';

/**
 * Keeps in this tab since when a request is answered, in epoch seconds: a request that asks for a new proof of identity
 * takes a later login as this proof, and does not ask for it twice.
 */
export function keepSince(request: string, since: number, store: Store): void {
  try {
    store().setItem(KEY, JSON.stringify({ request, since }));
  } catch {
    // Without storage the browser cannot be signed in either.
  }
}

/** Since when this request is answered. */
export function keptSince(request: string, store: Store): number | undefined {
  try {
    // Written by the function above only, as other origins cannot.
    const kept = JSON.parse(store().getItem(KEY) ?? '{}') as { request?: string; since?: number };
    return kept.request === request ? kept.since : undefined;
  } catch {
    return undefined;
  }
}
