/** What all the cookies may come to: gateways and servers refuse a request whose header is beyond 8 KiB. */
const CHARACTERS_MAX = 5000;

/** A `Set-Cookie` for the addresses of the callback's provider alone. */
export function cookieText(name: string, value: string, callbackUrl: string, seconds: number): string {
  const { pathname, protocol } = new URL(callbackUrl);
  const path = pathname.slice(0, pathname.lastIndexOf('/'));
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The `Set-Cookie` that makes the browser forget one. */
export function forgottenText(name: string, callbackUrl: string): string {
  return cookieText(name, '', callbackUrl, 0);
}

/** The names of the oldest attempts among the cookies that no longer fit next to a new one of that length. */
export function surplusOf(cookies: string | undefined, length: number): string[] {
  const kept = cookiesOf(cookies).filter(([name]) => /^sso_[0-9a-f]{24}$/.test(name));
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
