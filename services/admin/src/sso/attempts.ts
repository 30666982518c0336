import { createHash, randomBytes } from 'node:crypto';
import { createSecretBox } from '@gatehouse/crypto';
import { compile, Enum, Type, type Static } from '@gatehouse/schema';

const LIFETIME_SECONDS = 600;
/** What all the cookies may come to: gateways and servers refuse a request whose header is beyond 8 KiB. */
const CHARACTERS_MAX = 5000;

/** What is remembered of a sign-on while the browser is at the provider. The names are short: it is a cookie. */
const Kept = Type.Object({
  nonce: Type.String(),
  verifier: Type.String(),
  returnUrl: Type.String(),
  pagesState: Type.Optional(Type.String()),
  end: Type.Optional(Enum(['console', 'confirmation'])),
  expiresAt: Type.Integer(),
});
const isKept = compile(Kept, { unknownFields: 'refuse' });

/**
 * What a sign-on ends with: tokens for an app, a session for the account pages or the console, or the confirmation of who
 * has a session of the console.
 */
export type AttemptEnd = 'app' | 'pages' | 'console' | 'confirmation';

/** A sign-on under way. */
export interface Attempt {
  end: AttemptEnd;
  state: string;
  nonce: string;
  codeVerifier: string;
  returnUrl: string;
  /** What one of our own pages knows its sign-on by, where it ends at that page. */
  pagesState: string | undefined;
  beganAtSeconds: number;
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
    begin(returnUrl: string, page?: { end: Exclude<AttemptEnd, 'app'>; state: string }): Attempt {
      const random = randomBytes(32).toString('base64url');
      const state = page === undefined ? random : `${page.end === 'pages' ? 'pages' : 'console'}.${random}`;
      const beganAtSeconds = Math.floor(options.now() / 1000);
      return {
        end: page?.end ?? 'app',
        state,
        nonce: randomBytes(32).toString('base64url'),
        codeVerifier: randomBytes(32).toString('base64url'),
        returnUrl,
        pagesState: page?.state,
        beganAtSeconds,
        expiresAtSeconds: beganAtSeconds + LIFETIME_SECONDS,
        digest: digestOf(state),
      };
    },

    /**
     * The `Set-Cookie`s that let the browser keep it, for the addresses of its provider alone. Sign-ons that nobody
     * finishes, as whoever sends the browser here again and again begins them, must not fill its requests up: the
     * oldest of those that it came with (RFC 6265 §5.4: they stand first) are forgotten for it.
     */
    cookies(
      attempt: Attempt,
      at: { providerId: string; callbackUrl: string; sent: string | undefined },
    ): string[] {
      const kept: Static<typeof Kept> = {
        nonce: attempt.nonce,
        verifier: attempt.codeVerifier,
        returnUrl: attempt.returnUrl,
        ...(attempt.pagesState !== undefined && { pagesState: attempt.pagesState }),
        ...((attempt.end === 'console' || attempt.end === 'confirmation') && { end: attempt.end }),
        expiresAt: attempt.expiresAtSeconds,
      };
      const sealed = box.seal(contextOf(at.providerId, attempt.state), Buffer.from(JSON.stringify(kept)));
      const own = cookieText(cookieName(attempt.state), sealed.toString('base64url'), at.callbackUrl);
      const surplus = surplusOf(at.sent, own.length);
      return [own, ...surplus.map((name) => forgottenText(name, at.callbackUrl))];
    },

    /** The `Set-Cookie` that makes the browser forget it. */
    clearedCookie: (state: string, callbackUrl: string): string =>
      forgottenText(cookieName(state), callbackUrl),

    /** The sign-on that an answer of this provider belongs to, by the browser's cookies; `undefined` when none. */
    find(cookies: string | undefined, at: { providerId: string; state: string }): Attempt | undefined {
      const value = readCookie(cookies, cookieName(at.state));
      if (value === undefined) return undefined;
      const opened = box.open(contextOf(at.providerId, at.state), Buffer.from(value, 'base64url'));
      if (opened === undefined) return undefined;
      const kept: unknown = JSON.parse(opened.toString());
      if (isKept(kept) !== undefined) return undefined;
      const { nonce, verifier, returnUrl, pagesState, end, expiresAt } = kept as Static<typeof Kept>; // just checked
      return {
        end: end ?? (pagesState === undefined ? 'app' : 'pages'),
        state: at.state,
        nonce,
        codeVerifier: verifier,
        returnUrl,
        pagesState,
        beganAtSeconds: expiresAt - LIFETIME_SECONDS,
        expiresAtSeconds: expiresAt,
        digest: digestOf(at.state),
      };
    },
  };
}

/**
 * Which of our own pages began a sign-on, as its answer's state says, so that a browser that has lost its cookie can be led
 * back there; anybody can say so.
 */
export function pageOf(state: string): 'pages' | 'console' | undefined {
  const [, page] = /^(pages|console)\./.exec(state) ?? [];
  return page === 'pages' || page === 'console' ? page : undefined;
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

function cookieText(name: string, value: string, callbackUrl: string, seconds = LIFETIME_SECONDS): string {
  const { pathname, protocol } = new URL(callbackUrl);
  const path = pathname.slice(0, pathname.lastIndexOf('/'));
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function forgottenText(name: string, callbackUrl: string): string {
  return cookieText(name, '', callbackUrl, 0);
}

/** The names of the oldest attempts among the cookies that have no room any more beside another of that length. */
function surplusOf(cookies: string | undefined, length: number): string[] {
  const kept = cookiesOf(cookies).filter(([name]) => /^sso_[0-9a-f]{24}$/.test(name));
  let room = CHARACTERS_MAX - length;
  const fitting = kept.toReversed().filter(([name, value]) => (room -= name.length + value.length) >= 0);
  return kept.filter((one) => !fitting.includes(one)).map(([name]) => name);
}

function readCookie(cookies: string | undefined, wanted: string): string | undefined {
  return cookiesOf(cookies).find(([name]) => name === wanted)?.[1];
}

function cookiesOf(cookies: string | undefined): [name: string, value: string][] {
  return (cookies?.split(';') ?? []).map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return [name, value];
  });
}
