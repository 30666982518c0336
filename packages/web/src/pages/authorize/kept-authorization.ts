import { inStore } from '../../ui/browser.ts';

/** The last request of an app in this tab, as the service has answered it. */
interface KeptRequest {
  request: string;
  /**
   * Since when it is answered, in epoch seconds: a request that asks for a new proof of identity takes a later login as
   * this proof, and does not ask for it twice.
   */
  since: number;
  /** The name of the app. */
  app: string;
}

type Store = () => Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'gatehouse-authorization';

/** Keeps the request. Without storage the browser cannot be signed in either. */
export function keepRequest(kept: KeptRequest, storeOf: Store): void {
  inStore(storeOf, (store) => store.setItem(KEY, JSON.stringify(kept)));
}

export function keptRequest(request: string, storeOf: Store): Partial<KeptRequest> | undefined {
  const read = (store: Pick<Storage, 'getItem'>) =>
    JSON.parse(store.getItem(KEY) ?? '{}') as Partial<KeptRequest>; // written above, as other origins cannot
  const kept = inStore(storeOf, read);
  return kept?.request === request ? kept : undefined;
}

/** The name of the app that the login at this address leads back to, as the service has said it in this tab. */
export function appOf(returnUrl: string | undefined, storeOf: Store): string | undefined {
  return returnUrl === undefined ? undefined : keptRequest(returnUrl.split('?')[1] ?? '', storeOf)?.app;
}
