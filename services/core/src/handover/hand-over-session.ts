import { handOver } from '@gatehouse/accounts';
import { browserSiteFor, invalidRequest, refusedCaller, SESSION_REFUSALS } from '@gatehouse/http';
import { Enum, PAGE_PATHS, Type, type PageFragment } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

const PAGES = {
  profile: PAGE_PATHS.profile,
  security: PAGE_PATHS.profileSecurity,
  sessions: PAGE_PATHS.profileSessions,
  data: PAGE_PATHS.profileData,
} as const;

export const handOverSession = route({
  method: 'post',
  path: '/account/handover',
  operationId: 'handOverSession',
  tag: 'Sessions',
  summary: 'Open the account pages in the same session',
  description:
    'Open `Url` in a browser: its page exchanges the code after the `#` for a cookie of this session. The ' +
    'code works once, within a minute, and the cookie expires with the access token of this request. With ' +
    '`ReturnUrl`, which must be in `RETURN_URLS`, the code and `State` go to that address; with ' +
    '`CodeChallenge`, the exchange requires its verifier.',
  access: 'session',
  body: Type.Object(
    {
      Page: Type.Optional(
        Enum(['profile', 'security', 'sessions', 'data'], {
          description: 'The account page to open. Defaults to `profile`.',
        }),
      ),
      ReturnUrl: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: 'One of `RETURN_URLS`, exactly as configured',
        }),
      ),
      State: Type.Optional(
        Type.String({
          minLength: 22,
          maxLength: 86,
          pattern: /^[A-Za-z0-9_-]+$/.source,
          description: 'A random value that the app compares; returned in `Url`. Only with `ReturnUrl`',
        }),
      ),
      CodeChallenge: Type.Optional(
        Type.String({
          maxLength: 43,
          pattern: /^[A-Za-z0-9_-]{43}$/.source,
          description:
            'The SHA-256 of a `CodeVerifier` in base64url, which the exchange then requires (PKCE, RFC 7636, ' +
            'method S256). Only with `ReturnUrl`',
        }),
      ),
    },
    { examples: [{ Page: 'security' }] },
  ),
  response: Type.Object({
    Url: Type.String({ description: 'The address to open, with `#HandoverCode=…`' }),
    ExpiresAt: Type.String({ format: 'date-time' }),
  }),
  errors: ['forbidden', ...SESSION_REFUSALS],
  handler: async ({ body, caller, deps, request, refuse }) => {
    browserSiteFor(deps.browser.sites, 'pages');
    const target = targetOf(deps, body);
    const app = body.ReturnUrl === undefined ? undefined : { codeChallenge: body.CodeChallenge };
    const handedOver = await handOver(deps, caller, app, request);
    if (handedOver.kind === 'service')
      throw refuse('forbidden', 'Service accounts cannot use the account pages');
    if (handedOver.kind === 'refused') throw refusedCaller(refuse, handedOver);
    const { code, expiresAt } = handedOver;
    const fragment: PageFragment = {
      HandoverCode: code,
      ...(body.State !== undefined && { State: body.State }),
    };
    const Url = `${target}#${new URLSearchParams(fragment).toString()}`;
    return { Url, ExpiresAt: expiresAt.toISOString() };
  },
});

/** The redirect target. Only configured addresses are allowed, as the code can be exchanged for a session. */
function targetOf(
  { publicUrl, pages: { returnUrls } }: Pick<Deps, 'publicUrl' | 'pages'>,
  { Page: page, ReturnUrl: returnUrl, State, CodeChallenge }: Wanted,
): string {
  for (const [name, value] of Object.entries({ State, CodeChallenge })) {
    if (value !== undefined && returnUrl === undefined)
      throw invalidRequest('The request failed validation', {
        errors: [{ pointer: `/${name}`, message: 'goes with ReturnUrl alone', code: 'does_not_go_with' }],
      });
  }
  if (returnUrl === undefined) return publicUrl.replace(/\/$/, '') + PAGES[page ?? 'profile'];
  if (page === undefined && returnUrls.includes(returnUrl)) return returnUrl;
  throw invalidRequest('The request failed validation', {
    errors: [
      page === undefined
        ? { pointer: '/ReturnUrl', message: 'must be an address of RETURN_URLS', code: 'unknown_object' }
        : { pointer: '/ReturnUrl', message: 'cannot be combined with Page', code: 'does_not_go_with' },
    ],
  });
}

interface Wanted {
  Page?: keyof typeof PAGES;
  ReturnUrl?: string;
  State?: string;
  CodeChallenge?: string;
}
