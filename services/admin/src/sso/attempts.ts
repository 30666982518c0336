import { createHash, randomBytes } from 'node:crypto';
import { createSecretBox } from '@gatehouse/runtime';
import { compile, Type, type Static } from '@gatehouse/schema';

const LIFETIME_SECONDS = 600;

/** What is remembered of a sign-on while the browser is at the provider. The names are short: it is a cookie. */
const Kept = Type.Object({
  nonce: Type.String(),
  verifier: Type.String(),
  returnUrl: Type.String(),
  expiresAt: Type.Integer(),
});
const isKept = compile(Kept, { unknownFields: 'refuse' });

/** A sign-on under way. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnUrl: string;
  expiresAtSeconds: number;
  /** What it is remembered by once it was used. */
  digest: Buffer;
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Sign-ons under way, each kept by the browser that began it, in a sealed cookie of its own: tabs do not disturb
 * each other, and nothing is stored for sign-ons that nobody finishes. The seal binds the cookie to the provider
 * and to the state, so that neither another provider's answer nor another attempt's goes with it.
 */
export function createAttempts(options: { secret: string; now: () => number }) {
  const box = createSecretBox(options.secret, 'sso attempt');
  return {
    /** A new sign-on that ends at `returnUrl`. */
    begin(returnUrl: string): Attempt {
      const state = randomBytes(32).toString('base64url');
      return {
        state,
        nonce: randomBytes(32).toString('base64url'),
        codeVerifier: randomBytes(32).toString('base64url'),
        returnUrl,
        expiresAtSeconds: Math.floor(options.now() / 1000) + LIFETIME_SECONDS,
        digest: digestOf(state),
      };
    },

    /** The `Set-Cookie` that lets the browser keep it, for the address of the callback alone. */
    cookie(attempt: Attempt, at: { providerId: string; callbackUrl: string }): string {
      const kept: Static<typeof Kept> = {
        nonce: attempt.nonce,
        verifier: attempt.codeVerifier,
        returnUrl: attempt.returnUrl,
        expiresAt: attempt.expiresAtSeconds,
      };
      const sealed = box.seal(contextOf(at.providerId, attempt.state), Buffer.from(JSON.stringify(kept)));
      return cookieText(attempt.state, sealed.toString('base64url'), at.callbackUrl, LIFETIME_SECONDS);
    },

    /** The `Set-Cookie` that makes the browser forget it. */
    clearedCookie: (state: string, callbackUrl: string): string => cookieText(state, '', callbackUrl, 0),

    /** The sign-on that an answer of this provider belongs to, by the browser's cookies; `undefined` when none. */
    find(cookies: string | undefined, at: { providerId: string; state: string }): Attempt | undefined {
      const value = readCookie(cookies, cookieName(at.state));
      if (value === undefined) return undefined;
      const opened = box.open(contextOf(at.providerId, at.state), Buffer.from(value, 'base64url'));
      if (opened === undefined) return undefined;
      const kept: unknown = JSON.parse(opened.toString());
      if (isKept(kept) !== undefined) return undefined;
      const { nonce, verifier, returnUrl, expiresAt } = kept as Static<typeof Kept>; // just checked
      return {
        state: at.state,
        nonce,
        codeVerifier: verifier,
        returnUrl,
        expiresAtSeconds: expiresAt,
        digest: digestOf(at.state),
      };
    },
  };
}

function contextOf(providerId: string, state: string): string {
  return `${providerId} ${state}`;
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** By a part of the state's digest: the name tells nobody the state. */
function cookieName(state: string): string {
  return `sso_${digestOf(state).toString('hex').slice(0, 24)}`;
}

function cookieText(state: string, value: string, callbackUrl: string, maxAgeSeconds: number): string {
  const { pathname, protocol } = new URL(callbackUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${cookieName(state)}=${value}; Path=${pathname}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

function readCookie(cookies: string | undefined, name: string): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const [key = '', value] = pair.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}
