import { requestMail } from '@gatehouse/accounts';
import type { MailRequestPurpose } from '@gatehouse/db';
import { tooManyMails, type Refuse, type RequestFacts } from '@gatehouse/http';
import type { Deps } from '../../deps.ts';

/**
 * Records the anonymous request of a code by mail; every email gets the same response after the same time.
 *
 * @throws {ApiError} `too_many_requests` if the client's address has requested too many.
 */
export async function requestCode(
  deps: Pick<Deps, 'db' | 'mailsAskedFor' | 'mailRequests'>,
  { email, purpose }: { email: string; purpose: MailRequestPurpose },
  request: RequestFacts,
  refuse: Refuse<'too_many_requests'>,
): Promise<void> {
  const asked = {
    email,
    purpose,
    table: 'reset_request',
    addressGroup: request.addressGroup,
  } as const;
  const limited = await requestMail(deps, asked, request);
  if (limited !== undefined) throw tooManyMails(refuse, limited);
}
