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

/** Keeps the last request in this browser until its code is used. */
export function keepRequest(request: KeptRequest, store: Store, now = Date.now()): void {
  try {
    store().setItem(KEY, JSON.stringify({ ...request, until: now + KEPT_MS }));
  } catch {
    // Without storage, the code can be typed in the tab that asked.
  }
}

/** The last request of this browser, while its code can still work. */
export function keptRequest(store: Store, now = Date.now()): KeptRequest | undefined {
  try {
    const kept = JSON.parse(store().getItem(KEY) ?? '{}') as Partial<KeptRequest & { until: number }>;
    const { Email, RequestToken, search = '', until = 0 } = kept;
    if (Email === undefined || RequestToken === undefined || until < now) return undefined;
    return { Email, RequestToken, search };
  } catch {
    return undefined;
  }
}

export function forgetRequest(store: Store): void {
  try {
    store().removeItem(KEY);
  } catch {
    // Nothing is stored.
  }
}

/** The code of a link, if it can be one: anybody can write a link, whose text the page would otherwise show. */
export function linkedCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/.test(code) ? code : undefined;
}
