import { canUsePasskeys } from '../../sign-in/passkey.ts';
import { call } from '../../ui/api.ts';
import { inStore, keptIn } from '../../ui/browser.ts';

/** A request for a login code by this browser: the mailed code works only together with its token. */
export interface KeptRequest {
  Email: string;
  RequestToken: string;
  /** The query of the page that asked, which says where to go after the login. */
  search: string;
}

/** The link in the mail opens in another tab. */
const REQUEST = keptIn<KeptRequest & { until: number }>('localStorage', 'loginRequest');
/** As long as a code works. */
const REQUEST_MS = 600_000;

/** Keeps the last request in this browser until its code is used. Else the code can be typed in the tab that asked. */
export function keepRequest(request: KeptRequest, now = Date.now()): void {
  REQUEST.keep({ ...request, until: now + REQUEST_MS });
}

/** The last request of this browser, while its code can still work. */
export function keptRequest(now = Date.now()): KeptRequest | undefined {
  const { Email, RequestToken, search = '', until = 0 } = REQUEST.find();
  if (Email === undefined || RequestToken === undefined || until < now) return undefined;
  return { Email, RequestToken, search };
}

export const forgetRequest = REQUEST.forget;

/** The code of a link, if it can be one: anybody can write a link, whose text the page would otherwise show. */
export function linkedCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/.test(code) ? code : undefined;
}

/** The last request of an app in this tab, as the service has answered it. */
interface KeptAuthorization {
  request: string;
  /**
   * Since when it is answered, in epoch seconds: a request that asks for a new proof of identity takes a later login as
   * this proof, and does not ask for it twice.
   */
  since: number;
  app: string;
}

const AUTHORIZATION = keptIn<KeptAuthorization>('sessionStorage', 'gatehouse-authorization');

/** Without storage the browser cannot be signed in either. */
export const keepAuthorization = AUTHORIZATION.keep;

export function keptAuthorization(request: string): Partial<KeptAuthorization> {
  const kept = AUTHORIZATION.find();
  return kept.request === request ? kept : {};
}

/** The name of the app that the login at this address leads back to, as the service has said it in this tab. */
export function appOf(returnUrl: string | undefined): string | undefined {
  return returnUrl === undefined ? undefined : keptAuthorization(returnUrl.split('?')[1] ?? '').app;
}

/** The key of the time when a passkey was last offered in this browser, in milliseconds. */
const OFFERED_AT = 'passkey-offered-at';
const OFFER_EVERY_MS = 30 * 24 * 3_600_000;

/** Whether to offer a passkey after a sign-in by password. Not where its time cannot be stored: each sign-in would repeat it. */
export async function shouldOfferPasskey(now = Date.now()): Promise<boolean> {
  if (!canUsePasskeys() || !isDue(now)) return false;
  // A login must not wait long for an optional offer.
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, 2000, undefined));
  const own = await Promise.race([call<{ Items: unknown[] }>('GET /account/passkey'), tooLate]);
  if (own?.ok !== true || own.value.Items.length > 0) return false;
  return inStore('localStorage', (store) => (store.setItem(OFFERED_AT, String(now)), true)) ?? false;
}

/** Whether the last offer is at least thirty days old. A time in the future is ignored: a clock was wrong. */
export function isDue(now: number): boolean {
  const since = inStore('localStorage', (store) => now - Number(store.getItem(OFFERED_AT) ?? Number.NaN));
  return since !== undefined && !(since >= 0 && since < OFFER_EVERY_MS);
}
