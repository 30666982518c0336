import { inStore } from '../../ui/browser.ts';

/** A request for a login code by this browser: the mailed code works only together with its token. */
export interface KeptRequest {
  Email: string;
  RequestToken: string;
  /** The query of the page that asked, which says where to go after the login. */
  search: string;
}

/** Returns `localStorage`: the link in the mail opens in another tab. Throws if it is disabled. */
type Store = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEY = 'loginRequest';
/** As long as a code works. */
const KEPT_MS = 600_000;

/** Keeps the last request in this browser until its code is used. Else the code can be typed in the tab that asked. */
export function keepRequest(request: KeptRequest, storeOf: Store, now = Date.now()): void {
  inStore(storeOf, (store) => store.setItem(KEY, JSON.stringify({ ...request, until: now + KEPT_MS })));
}

/** The last request of this browser, while its code can still work. */
export function keptRequest(storeOf: Store, now = Date.now()): KeptRequest | undefined {
  const read = (store: Pick<Storage, 'getItem'>) =>
    JSON.parse(store.getItem(KEY) ?? '{}') as Partial<KeptRequest & { until: number }> | null; // written above
  const { Email, RequestToken, search = '', until = 0 } = inStore(storeOf, read) ?? {};
  if (Email === undefined || RequestToken === undefined || until < now) return undefined;
  return { Email, RequestToken, search };
}

export function forgetRequest(storeOf: Store): void {
  inStore(storeOf, (store) => store.removeItem(KEY));
}

/** The code of a link, if it can be one: anybody can write a link, whose text the page would otherwise show. */
export function linkedCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/.test(code) ? code : undefined;
}
