import { sessionCookie, type OnSessionOpen, type TokenSet } from '@gatehouse/accounts';
import { accounts } from '@gatehouse/db';
import {
  browserSiteForLogin,
  invalidRequest,
  reply,
  type ApiError,
  type Refuse,
  type RequestFacts,
} from '@gatehouse/http';
import { Enum, Type } from '@gatehouse/schema';
import type { Deps } from '../../deps.ts';

/** How a login receives its session: as tokens, or as a cookie of the browser. */
export const DELIVERY_FIELDS = {
  Delivery: Type.Optional(
    Enum(['Tokens', 'Cookie'], {
      description:
        'With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send ' +
        'it with every step.',
    }),
  ),
  KeepSignedIn: Type.Optional(
    Type.Boolean({ description: 'With `Cookie`: whether the browser keeps the cookie when it is closed' }),
  ),
};

interface Opened {
  accountId: string;
  sessionId: string;
  tokens: TokenSet;
}

/**
 * Reads how to deliver a session, before the login does anything; `onOpen` is the condition that this adds to the
 * login.
 *
 * @throws {ApiError} for a cookie that a page of another site requests, or that cannot be set.
 */
export function readDelivery(
  deps: Pick<Deps, 'browser' | 'settings' | 'signIns' | 'now'>,
  { Delivery, KeepSignedIn }: { Delivery?: 'Tokens' | 'Cookie'; KeepSignedIn?: boolean },
  request: RequestFacts,
  refuse: Refuse<'forbidden'>,
) {
  if (Delivery !== 'Cookie') {
    if (KeepSignedIn !== undefined) throw notWithTokens();
    const deliver = ({ tokens }: Opened, more: { RecoveryCodes?: string[] }) => ({ ...tokens, ...more });
    return { deliver, onOpen: undefined };
  }
  const site = browserSiteForLogin(deps.browser.sites, 'pages', request);
  const { SESSION_IDLE_SECONDS: idleSeconds, SESSION_MAX_SECONDS: maxSeconds } = deps.settings;
  const deliver = (opened: Opened, more: { RecoveryCodes?: string[] }) =>
    reply({
      headers: { 'Set-Cookie': sessionCookie(deps, site, opened, { isKept: KeepSignedIn }) },
      body: { ExpirationSeconds: Math.min(idleSeconds, maxSeconds), ...more },
    });
  return { deliver, onOpen: admitPeople(deps, request, refuse) };
}

/** Service accounts cannot use the account pages: a service's password that is used there was stolen. */
function admitPeople(
  { signIns }: Pick<Deps, 'signIns'>,
  { address, addressGroup, userAgent, traceId }: RequestFacts,
  refuse: Refuse<'forbidden'>,
): OnSessionOpen {
  return async (tx, { accountId }) => {
    if ((await accounts.findById(tx, accountId))?.isService !== true) return;
    // Service accounts have no passkeys.
    const attempt = { accountId, method: 'Password', address, addressGroup, userAgent, traceId } as const;
    signIns.refused(attempt, 'forbidden');
    throw refuse('forbidden', 'Service accounts cannot sign in to the account pages');
  };
}

function notWithTokens(): ApiError {
  return invalidRequest('The request failed validation', {
    errors: [
      {
        pointer: '/KeepSignedIn',
        message: 'can be combined only with Delivery "Cookie"',
        code: 'does_not_go_with',
      },
    ],
  });
}
