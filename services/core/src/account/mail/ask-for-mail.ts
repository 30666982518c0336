import { takeMailShare } from '@gatehouse/accounts';
import { inTransaction, mailRequests, type MailRequestPurpose } from '@gatehouse/db';
import {
  addressGroup,
  type Refuse,
  type RequestFacts,
  tooManyMails,
  withMinimumDuration,
} from '@gatehouse/http';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import type { Deps } from '../../deps.ts';

/** What a mail takes to be on its way, as a rule: whoever asks finds it so. */
const MAIL_MS = 60;

/**
 * Takes down that a stranger asks for a mail to an email. What comes of it, and how long it takes, is the same whether
 * or not the email has an account: whether one is to be mailed is found out behind the answer.
 *
 * @throws {ApiError} `too_many_requests`, for what the caller's address has asked for.
 */
export async function askForMail(
  deps: Deps,
  { email, purpose }: { email: string; purpose: MailRequestPurpose },
  request: RequestFacts,
  refuse: Refuse<'too_many_requests'>,
): Promise<void> {
  const limited = await takeMailShare(deps, addressGroup(request.address));
  if (limited !== undefined) throw tooManyMails(refuse, limited);
  const asked = { emailKey: emailKey(normalizeEmail(email) ?? ''), purpose, traceId: request.traceId };
  const kept = inTransaction(deps.db, request, (tx) => mailRequests.add(tx, asked));
  await withMinimumDuration(
    MAIL_MS,
    kept.then(() => deps.mailRequests.wake()),
  );
}
