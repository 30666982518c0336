import type { Fragment } from '../ui/browser.ts';
import { pageData } from '../ui/locale.ts';

const KEPT = 'gatehouse-sign-on';

/** The URL where a sign-on begins. A random value must come back to this tab, so that an attacker's link signs nobody in. */
export function beginSignOn(loginUrl: string, query: Readonly<Record<string, string>>, kept: object): string {
  const state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  expectSignOn(state, kept);
  return `${loginUrl}?${new URLSearchParams({ ...query, state }).toString()}`;
}

export function expectSignOn(state: string, kept: object): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ state, kept }));
}

/** The response of a sign-on: a code, or an error; with what was stored at its beginning. */
export type SignOn<Kept> = ({ code: string } | { error: string }) & { kept?: Kept };

/** Reads the response of a sign-on from the address. An error if this tab has not begun or already finished it. */
export function takeSignOn<Kept>(
  code: string | undefined,
  { SignOnError: error, State: state }: Fragment,
): SignOn<Kept> | undefined {
  if (code === undefined && error === undefined) return undefined;
  const text = sessionStorage.getItem(KEPT);
  // Only `expectSignOn` writes it.
  const begun = text === null ? undefined : (JSON.parse(text) as { state: string; kept: Kept });
  if (begun === undefined || begun.state !== state) return { error: 'invalid_attempt' };
  sessionStorage.removeItem(KEPT);
  const { kept } = begun;
  if (code === undefined || error !== undefined) return { error: error ?? 'invalid_attempt', kept };
  return { code, kept };
}

/** The text for an error code of docs/sso.md. */
export function signOnFailure(code: string): string {
  const { Messages } = pageData;
  return Messages[`signOn.failed.${code}`] ?? Messages['signOn.failed.provider_error'] ?? code;
}
