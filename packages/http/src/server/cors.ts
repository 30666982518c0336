import { ConfigError, listed } from '@gatehouse/runtime';
import type { HeaderList } from '../request/headers.ts';

export type Cors = ReturnType<typeof createCors>;

/**
 * Lets browsers of the listed origins call. For all others the response has no such headers, so the browser refuses
 * it. Origins are compared exactly; only `http://localhost:*` and `http://127.0.0.1:*` stand for all ports, for apps in
 * development. Credentials are never allowed: callers send a bearer token.
 *
 * @param corsOrigins origins, separated by commas.
 * @throws {ConfigError} for `*` and for anything that is not an origin.
 */
export function createCors(corsOrigins: string) {
  const origins = new Set(listed(corsOrigins));
  for (const origin of origins) checkOrigin(origin);
  const allowsLoopback = (origin: string): boolean => {
    const host = LOOPBACK.exec(origin)?.[1];
    return host !== undefined && origins.has(`${host}:*`);
  };
  // Responses differ by origin: a cache must not reuse them for another origin.
  const standing = origins.size === 0 ? [] : ['Vary', 'Origin'];
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && ((origins.has(origin) && !origin.endsWith('*')) || allowsLoopback(origin));
  return {
    /** For any response to a request with this `Origin`. */
    answer: (origin: string | undefined): HeaderList =>
      isAllowed(origin)
        ? [...standing, 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED]
        : standing,
    preflight: (origin: string | undefined, methods: string): HeaderList =>
      isAllowed(origin) ? preflightHeaders(methods) : [],
  };
}

export function preflightHeaders(methods: string): HeaderList {
  return [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', 'Authorization, Content-Type, If-Match'],
    ...['Access-Control-Max-Age', '600'],
  ];
}

const EXPOSED = 'ETag, Location, Retry-After, WWW-Authenticate, X-Trace-Id';

/** Pages of every origin may call: as no cookie is read, they can do what anybody can who has the same token. */
export const ANY_ORIGIN: HeaderList = [
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', EXPOSED],
];

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1)):\d{1,5}$/;

function checkOrigin(origin: string): void {
  if (origin === 'http://localhost:*' || origin === 'http://127.0.0.1:*') return;
  if (origin === '*')
    throw new ConfigError('CORS_ORIGINS: "*" is not accepted; name the origins whose pages may call');
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new ConfigError(`CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.com`);
  }
}
