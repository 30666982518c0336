/** The limit for all cookies together: gateways and servers refuse requests with headers of more than 8 KiB. */
const CHARACTERS_MAX = 5000;

/** Matches the cookie names of attempts. */
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

/** A `Set-Cookie` that deletes the cookie. */
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
