import { handOver } from '@gatehouse/accounts';
import { browserSiteFor, invalidRequest } from '@gatehouse/http';
import { Enum, PAGE_PATHS, Type } from '@gatehouse/schema';
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
    'Open `Url` in a browser: its page exchanges the code after the `#` for a cookie of this session, without ' +
    'another login. The cookie expires with the access token of this request. The code works once, within a ' +
    'minute. With `ReturnUrl`, which must be in `RETURN_URLS`, the code goes to that address instead of an ' +
    'account page.',
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
    },
    { examples: [{ Page: 'security' }] },
  ),
  response: Type.Object({
    Url: Type.String({ description: 'The address to open, with `#HandoverCode=…`' }),
    ExpiresAt: Type.String({ format: 'date-time' }),
  }),
  errors: ['forbidden'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    browserSiteFor(deps.browser.sites, 'pages');
    const target = targetOf(deps, body);
    const handedOver = await handOver(deps, caller, request);
    if (handedOver === undefined) throw refuse('forbidden', 'Service accounts cannot use the account pages');
    const { code, expiresAt } = handedOver;
    return { Url: `${target}#HandoverCode=${code}`, ExpiresAt: expiresAt.toISOString() };
  },
});

/** The redirect target. Only configured addresses are allowed, as the code can be exchanged for a session. */
function targetOf(
  { publicUrl, pages: { returnUrls } }: Pick<Deps, 'publicUrl' | 'pages'>,
  { Page: page, ReturnUrl: returnUrl }: { Page?: keyof typeof PAGES; ReturnUrl?: string },
): string {
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
