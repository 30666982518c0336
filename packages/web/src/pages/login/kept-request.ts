import { keptIn } from '../../ui/browser.ts';

/** A request for a login code by this browser: the mailed code works only together with its token. */
export interface KeptRequest {
  Email: string;
  RequestToken: string;
  /** The query of the page that asked, which says where to go after the login. */
  search: string;
}

/** The link in the mail opens in another tab. */
const KEPT = keptIn<KeptRequest & { until: number }>('localStorage', 'loginRequest');
/** As long as a code works. */
const KEPT_MS = 600_000;

/** Keeps the last request in this browser until its code is used. Else the code can be typed in the tab that asked. */
export function keepRequest(request: KeptRequest, now = Date.now()): void {
  KEPT.keep({ ...request, until: now + KEPT_MS });
}

/** The last request of this browser, while its code can still work. */
export function keptRequest(now = Date.now()): KeptRequest | undefined {
  const { Email, RequestToken, search = '', until = 0 } = KEPT.find();
  if (Email === undefined || RequestToken === undefined || until < now) return undefined;
  return { Email, RequestToken, search };
}

export const forgetRequest = KEPT.forget;

/** The code of a link, if it can be one: anybody can write a link, whose text the page would otherwise show. */
export function linkedCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$/.test(code) ? code : undefined;
}
