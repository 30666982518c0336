/** What all the cookies may come to: gateways and servers refuse a request whose header is beyond 8 KiB. */
const CHARACTERS_MAX = 5000;

/** The names of the cookies of attempts. */
const NAME = /^(?:__Host-)?sso_[0-9a-f]{24}$/;

/**
 * The name of an attempt's cookie: part of the digest of its state, which does not reveal the state. With the prefix, other
 * subdomains cannot set it (RFC 6265bis); they could otherwise sign a user on with an attacker's attempt.
 */
export function cookieName(digest: Buffer, callbackUrl: string): string {
  return `${isSecure(callbackUrl) ? '__Host-' : ''}sso_${digest.toString('hex').slice(0, 24)}`;
}

/** A `Set-Cookie` for an attempt. The prefix requires the path `/`; without it, only the provider's paths receive the cookie. */
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

/** The `Set-Cookie` that makes the browser forget one. */
export function forgottenText(name: string, callbackUrl: string): string {
  return cookieText(name, '', callbackUrl, 0);
}

/** The names of the oldest attempts among the cookies that no longer fit next to a new one of that length. */
export function surplusOf(cookies: string | undefined, length: number): string[] {
  const kept = cookiesOf(cookies).filter(([name]) => NAME.test(name));
  let room = CHARACTERS_MAX - length;
  const fitting = kept.toReversed().filter(([name, value]) => (room -= name.length + value.length) >= 0);
  return kept.filter((one) => !fitting.includes(one)).map(([name]) => name);
}

/** The value of a cookie, from the header that a browser sends. */
export function readCookie(cookies: string | undefined, wanted: string): string | undefined {
  return cookiesOf(cookies).find(([name]) => name === wanted)?.[1];
}

function cookiesOf(cookies: string | undefined): [name: string, value: string][] {
  return (cookies?.split(';') ?? []).map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=');
    return [name, value];
  });
}
