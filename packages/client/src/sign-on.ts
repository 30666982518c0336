import { showInstead, type Place } from './login/mail-link.ts';
import type { CurrentSession } from './session/state.ts';

/** Why a sign-on gave no tokens (docs/sso.md). `invalid_attempt` also where this tab has begun none. */
export type SignOnError =
  | 'access_denied'
  | 'invalid_attempt'
  | 'provider_unavailable'
  | 'provider_error'
  | 'account_exists'
  | 'email_missing'
  | 'email_not_verified'
  | 'domain_not_allowed'
  | 'not_provisioned'
  | 'guest_not_allowed'
  | 'two_factor_required'
  | 'new_password_required'
  | 'account_disabled'
  | 'account_expired'
  | 'signup_pending'
  | 'migration_pending'
  | 'email_confirmation_pending'
  | 'invitation_pending';

export type SignOnOutcome =
  | { kind: 'signed-in'; session: CurrentSession }
  | { kind: 'refused'; code: SignOnError }
  /** The address carries nothing of a sign-on. */
  | { kind: 'none' };

const BEGUN = 'gatehouse-sign-on';
/** The server keeps an attempt for as long. */
const WITHIN_MS = 10 * 60_000;

/** Remembers in this tab that it begins a sign-on, so that a link from elsewhere signs nobody in. */
export function beginSignOn(provider: string): void {
  sessionStorage.setItem(BEGUN, `${provider} ${Date.now()}`);
}

function begunProvider(): string | undefined {
  const [provider, at] = sessionStorage.getItem(BEGUN)?.split(' ') ?? [];
  return Date.now() - Number(at) < WITHIN_MS ? provider : undefined;
}

/** What the provider's callback put into the address, which it leaves before anything else may look at it. */
export function takeSignOn(
  place: Place,
):
  | { kind: 'tokens'; provider: string; token: string; refreshToken: string }
  | Exclude<SignOnOutcome, { kind: 'signed-in' }> {
  const query = new URLSearchParams(place.search);
  const begun = begunProvider();
  const [token, refreshToken] = [query.get(`${begun}_token`), query.get(`${begun}_refresh_token`)];
  const error = query.get('error');
  const isBack = query.get('authCallback') === 'true' || (begun !== undefined && error !== null);
  if (!isBack) return { kind: 'none' };
  sessionStorage.removeItem(BEGUN);
  for (const name of [...query.keys()]) {
    if (/^(authCallback|error|.+_token)$/.test(name)) query.delete(name);
  }
  const rest = query.toString();
  showInstead(place.pathname + (rest && `?${rest}`) + place.hash);
  if (begun !== undefined && token !== null && refreshToken !== null) {
    return { kind: 'tokens', provider: begun, token, refreshToken };
  }
  return {
    kind: 'refused',
    code: (begun === undefined ? null : (error as SignOnError | null)) ?? 'invalid_attempt',
  }; // of our callback
}
