import { createHash, randomBytes } from 'node:crypto';
import { SIGN_ON_SECONDS } from '@gatehouse/accounts';
import { createSecretBox } from '@gatehouse/runtime';
import { compile, Enum, Optional, Type, type Static } from '@gatehouse/schema';

/** The data of a sign-on while the browser is at the provider. The names are short because they are in a cookie. */
const Kept = Type.Object({
  nonce: Type.String(),
  verifier: Type.String(),
  returnUrl: Type.String(),
  pagesState: Optional.String(),
  link: Optional.String(),
  challenge: Optional.String(),
  appState: Optional.String(),
  tag: Optional.String(),
  locale: Optional.String(),
  end: Type.Optional(Enum(['console', 'confirmation'])),
  expiresAt: Type.Integer(),
});
const isKept = compile(Kept, { unknownFields: 'refuse' });

/** Tokens of an app, a session of pages or console, a confirmation in a console session, or a linked identity. */
export type AttemptResult = 'app' | 'pages' | 'console' | 'confirmation' | 'link';

/** The end of a sign-on that was begun by one of our own pages. `link`: the ticket of the link. */
export type PageResult = { state: string } & (
  | { end: Exclude<AttemptResult, 'app' | 'link'>; link?: undefined; sessionTag?: string | undefined }
  | { end: 'link'; link: string; sessionTag?: undefined }
);

export interface AppResult {
  end: 'app';
  /** Of an app that exchanges a code for the tokens; otherwise they are in the return address. */
  challenge: string | undefined;
  state: string | undefined;
  sessionTag: string | undefined;
}

export interface Attempt {
  end: AttemptResult;
  state: string;
  nonce: string;
  codeVerifier: string;
  returnUrl: string;
  /** The state by which one of our own pages recognizes its sign-on; `undefined` if an app began it. */
  pagesState?: string | undefined;
  link?: string | undefined;
  /** The `code_challenge` of an app that exchanges a code for its tokens. */
  challenge?: string | undefined;
  /** The `state` that this app compares. */
  appState?: string | undefined;
  /** The kind of device that an app, or a page on behalf of one, asked a session for. */
  sessionTag: string | undefined;
  locale?: string | undefined;
  beganAtSeconds: number;
  expiresAtSeconds: number;
  /** Identifies the attempt after it was used. */
  digest: Buffer;
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Sign-ons in progress. Each is stored by the browser that began it, in a separate sealed cookie: tabs do not disturb
 * each other, and the server stores nothing for unfinished sign-ons. The seal binds the cookie to the provider and to
 * the state, so that the response of another provider or for another attempt is not accepted with it.
 */
export function createAttempts(options: { secret: string; now: () => number }) {
  const box = createSecretBox(options.secret, 'sso attempt');
  return {
    begin(returnUrl: string, end: PageResult | AppResult): Attempt {
      const page = end.end === 'app' ? undefined : end;
      const app = end.end === 'app' ? end : undefined;
      const random = randomBytes(32).toString('base64url');
      const state = page === undefined ? random : `${PAGES[page.end]}.${random}`;
      const beganAtSeconds = Math.floor(options.now() / 1000);
      return {
        end: page?.end ?? 'app',
        state,
        nonce: randomBytes(32).toString('base64url'),
        codeVerifier: randomBytes(32).toString('base64url'),
        returnUrl,
        pagesState: page?.state,
        link: page?.link,
        challenge: app?.challenge,
        appState: app?.state,
        sessionTag: end.sessionTag,
        beganAtSeconds,
        expiresAtSeconds: beganAtSeconds + SIGN_ON_SECONDS,
        digest: digestOf(state),
      };
    },

    /**
     * The `Set-Cookie` headers that store the attempt. Unfinished sign-ons, such as those that an attacker makes the
     * browser begin, must not fill the request headers: the oldest ones in the request (the first ones, by RFC 6265
     * §5.4) are deleted to make room.
     */
    cookies(attempt: Attempt, at: { providerId: string; callbackUrl: string; sent: string | undefined }) {
      const context = contextOf(at.providerId, attempt.state);
      const sealed = box.seal(context, Buffer.from(JSON.stringify(keptOf(attempt))));
      const [name, value] = [cookieName(attempt.digest, at.callbackUrl), sealed.toString('base64url')];
      const own = cookieText(name, value, at.callbackUrl, SIGN_ON_SECONDS);
      const surplus = excessCookies(at.sent, own.length);
      return [own, ...surplus.map((one) => forgottenText(one, at.callbackUrl))];
    },

    clearedCookie: (state: string, callbackUrl: string) =>
      forgottenText(cookieName(digestOf(state), callbackUrl), callbackUrl),

    /** Finds the attempt for a response of this provider in the browser's cookies; `undefined` if there is none. */
    find(cookies: string | undefined, at: { providerId: string; callbackUrl: string; state: string }) {
      const wanted = cookieName(digestOf(at.state), at.callbackUrl);
      const value = cookiesOf(cookies).find(([name]) => name === wanted)?.[1];
      if (value === undefined) return undefined;
      const opened = box.open(contextOf(at.providerId, at.state), Buffer.from(value, 'base64url'));
      if (opened === undefined) return undefined;
      const kept: unknown = JSON.parse(opened.toString());
      if (isKept(kept) !== undefined) return undefined;
      return attemptOf(at.state, kept as Static<typeof Kept>); // checked above
    },
  };
}

/** What is `undefined` is left out by JSON. */
function keptOf({ codeVerifier, sessionTag, end, expiresAtSeconds, ...same }: Attempt) {
  const { nonce, returnUrl, pagesState, link, challenge, appState, locale } = same;
  return {
    ...{ nonce, verifier: codeVerifier, returnUrl, pagesState, link, challenge, appState },
    ...{ tag: sessionTag, locale },
    end: end === 'console' || end === 'confirmation' ? end : undefined,
    expiresAt: expiresAtSeconds,
  } satisfies Record<keyof Static<typeof Kept>, unknown>;
}

function attemptOf(state: string, { verifier, tag, end, expiresAt, ...same }: Static<typeof Kept>): Attempt {
  return {
    ...same,
    end: end ?? (same.link !== undefined ? 'link' : same.pagesState === undefined ? 'app' : 'pages'),
    state,
    codeVerifier: verifier,
    sessionTag: tag,
    beganAtSeconds: expiresAt - SIGN_ON_SECONDS,
    expiresAtSeconds: expiresAt,
    digest: digestOf(state),
  };
}

/** The page of ours that began a sign-on, for a browser that has lost its cookie. Anybody can send such a state. */
export function pageOf(state: string): OwnPage | undefined {
  const [, page] = /^(pages|console|link)\./.exec(state) ?? [];
  return page === 'pages' || page === 'console' || page === 'link' ? page : undefined;
}

export type OwnPage = 'pages' | 'console' | 'link';

export const PAGES = {
  pages: 'pages',
  console: 'console',
  confirmation: 'console',
  link: 'link',
} as const satisfies Record<Exclude<AttemptResult, 'app'>, OwnPage>;

function contextOf(providerId: string, state: string): string {
  return `${providerId} ${state}`;
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** The limit for all cookies together: gateways and servers refuse requests with headers of more than 8 KiB. */
const CHARACTERS_MAX = 5000;

const NAME = /^(?:__Host-)?sso_[0-9a-f]{24}$/;

/**
 * The name of an attempt's cookie: part of the digest of its state, which does not reveal the state. With the prefix,
 * other subdomains cannot set it (RFC 6265bis). Otherwise they could sign a user on with an attacker's attempt.
 */
export function cookieName(digest: Buffer, callbackUrl: string): string {
  return `${isSecure(callbackUrl) ? '__Host-' : ''}sso_${digest.toString('hex').slice(0, 24)}`;
}

/** A `Set-Cookie` for an attempt. Its prefix requires the path `/`; otherwise it is limited to the provider's paths. */
export function cookieText(name: string, value: string, callbackUrl: string, seconds: number): string {
  const { pathname } = new URL(callbackUrl);
  const [path, secure] = isSecure(callbackUrl)
    ? ['/', '; Secure']
    : [pathname.slice(0, pathname.lastIndexOf('/')), ''];
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}

export function forgottenText(name: string, callbackUrl: string): string {
  return cookieText(name, '', callbackUrl, 0);
}

/** The cookie names of the oldest attempts that no longer fit next to a new cookie of that length. */
export function excessCookies(cookies: string | undefined, length: number): string[] {
  const kept = cookiesOf(cookies).filter(([name]) => NAME.test(name));
  let room = CHARACTERS_MAX - length;
  const fitting = kept.toReversed().filter(([name, value]) => (room -= name.length + value.length) >= 0);
  return kept.filter((one) => !fitting.includes(one)).map(([name]) => name);
}

function cookiesOf(cookies: string | undefined): [name: string, value: string][] {
  return (cookies?.split(';') ?? []).map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return [name, value];
  });
}
