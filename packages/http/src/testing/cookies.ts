interface Cookie {
  name: string;
  value: string;
  path: string;
  isSecure: boolean;
  /** The `Set-Cookie` header, for tests that check it. */
  text: string;
}

/** A browser's cookies (RFC 6265) for one host; cookies ignore ports. */
export function createCookieJar() {
  const cookies = new Map<string, Cookie>();
  return {
    take(url: string, lines: readonly string[]): void {
      for (const text of lines) {
        const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
        const at = pair.indexOf('=');
        const attribute = (name: string): string | undefined =>
          attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
        const path = attribute('path') ?? '/';
        const isOver =
          attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '9999-01-01') <= Date.now();
        const isSecure = attributes.some((one) => one.toLowerCase() === 'secure');
        const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path, isSecure, text };
        if (isOver) cookies.delete(`${cookie.name} ${path}`);
        else cookies.set(`${cookie.name} ${path}`, cookie);
      }
    },

    /** The `Cookie` header of a request to this address; empty without cookies. */
    header(url: string): string {
      const { pathname, protocol } = new URL(url);
      const isIn = (path: string) =>
        pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
      return [...cookies.values()]
        .filter(({ path, isSecure }) => isIn(path) && (!isSecure || protocol === 'https:'))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },

    all: (): Cookie[] => [...cookies.values()],
  };
}
