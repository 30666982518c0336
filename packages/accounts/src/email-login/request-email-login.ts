import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import type { Throttled } from '../checks/attempts.ts';
import type { Origin } from '../deps.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { AccountsDeps } from '../deps.ts';

/** The result of a request for a login code; `off`: nobody may log in with one. */
export type EmailLoginRequest = { kind: 'requested'; requestToken: string } | { kind: 'off' } | Throttled;

/**
 * Records the request for a code with which to log in. Every email has the same result after the same time; the code is
 * mailed later, if the email has an account that may use it, and works only with the returned token.
 */
export async function requestEmailLogin(
  deps: Parameters<typeof requestMail>[0] & Pick<AccountsDeps, 'settings'>,
  { email, addressGroup }: { email: string; addressGroup: string },
  origin: Origin,
): Promise<EmailLoginRequest> {
  if (deps.settings.EMAIL_LOGIN === 'off') return { kind: 'off' };
  const requestToken = newInvitationToken();
  const requestHash = hashInvitationToken(requestToken);
  const asked = { email, purpose: 'login', table: 'reset_request', addressGroup, requestHash } as const;
  return (await requestMail(deps, asked, origin)) ?? { kind: 'requested', requestToken };
}
