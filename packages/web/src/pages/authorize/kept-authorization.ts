import { keptIn } from '../../ui/browser.ts';

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

const KEPT = keptIn<KeptRequest>('sessionStorage', 'gatehouse-authorization');

/** Keeps the request. Without storage the browser cannot be signed in either. */
export const keepRequest = KEPT.keep;

export function keptRequest(request: string): Partial<KeptRequest> | undefined {
  const kept = KEPT.find();
  return kept.request === request ? kept : undefined;
}

/** The name of the app that the login at this address leads back to, as the service has said it in this tab. */
export function appOf(returnUrl: string | undefined): string | undefined {
  return returnUrl === undefined ? undefined : keptRequest(returnUrl.split('?')[1] ?? '')?.app;
}
