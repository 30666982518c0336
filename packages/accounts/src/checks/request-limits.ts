import type { FailureCounters } from '@gatehouse/auth-core';
import type { AccountsDeps } from '../deps.ts';
import { throttled, type Throttled } from './attempts.ts';

/**
 * Counts a mail that is requested without a login by the client's address, so that nobody can fill many mailboxes;
 * `undefined` if it is within the limit.
 */
export async function countMailRequest(
  deps: Pick<AccountsDeps, 'mailsAskedFor'>,
  addressGroup: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.mailsAskedFor, addressGroup);
}

/** Like `countMailRequest`, for a passkey challenge, by the client's address. */
export async function countChallengeRequest(
  deps: Pick<AccountsDeps, 'passkeyChallenges'>,
  addressGroup: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.passkeyChallenges, addressGroup);
}

/** Like `countMailRequest`, for an export, by the account. */
export async function countExportRequest(
  deps: Pick<AccountsDeps, 'exports'>,
  accountId: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.exports, accountId);
}

/** Like `countMailRequest`, for a code that an application may exchange, by the account. */
export async function countAuthorization(
  deps: Pick<AccountsDeps, 'authorizations'>,
  accountId: string,
): Promise<Throttled | undefined> {
  return takeShare(deps.authorizations, accountId);
}

async function takeShare(counters: FailureCounters, whose: string): Promise<Throttled | undefined> {
  const admission = await counters.admit(whose);
  if (!admission.admitted) return throttled(admission);
  await admission.settle(true);
  return undefined;
}
