import { browserSiteOf, type BrowserPurpose } from '@gatehouse/auth-core';
import type { Route } from '../route.ts';

/** How callers authenticate: with a bearer token, or in browsers with a cookie of one of these purposes. */
export function securitySchemes(cookies: readonly BrowserPurpose[]): object {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token or a static API token.',
    },
    ...Object.fromEntries(
      cookies.map((purpose) => [
        SCHEMES[purpose].name,
        {
          type: 'apiKey',
          in: 'cookie',
          name: browserSiteOf(purpose, 'https://gatehouse.invalid')?.cookieName,
          description: SCHEMES[purpose].description,
        },
      ]),
    ),
  };
}

/** The security schemes that a route accepts. */
export function securityOf(access: Route<never>['access'], cookies: readonly BrowserPurpose[]): object[] {
  if (access === 'public') return [];
  // The cookie of the account pages gives no administrator rights.
  const isForUsers = typeof access === 'string' || access.some((role) => role === 'User' || role === 'Guest');
  const taken = cookies.filter((purpose) => purpose !== 'pages' || isForUsers);
  return [{ bearer: [] }, ...taken.map((purpose) => ({ [SCHEMES[purpose].name]: [] }))];
}

const SAME_ORIGIN =
  'It is accepted only in requests from pages of its own origin, and without an `Authorization` header. On loopback ' +
  'addresses without TLS it has a different name.';

const SCHEMES: Record<BrowserPurpose, { name: string; description: string }> = {
  pages: {
    name: 'pagesCookie',
    description: `The session of the account pages (\`PUBLIC_URL\`). ${SAME_ORIGIN}`,
  },
  console: {
    name: 'consoleCookie',
    description: `The session of the admin console (\`ADMIN_URL\`). ${SAME_ORIGIN}`,
  },
};
