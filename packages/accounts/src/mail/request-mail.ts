import { inTransaction, mailRequests, type MailRequestPurpose, type MailRequestTable } from '@gatehouse/db';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey, normalizeEmail } from '@gatehouse/schema';
import type { Throttled } from '../checks/attempts.ts';
import { takeShare } from '../checks/attempts.ts';
import type { AccountsDeps, Origin } from '../deps.ts';
import type { MailRequests } from './mail-requests.ts';

type Deps = Pick<AccountsDeps, 'db' | 'mailsAskedFor'> & { mailRequests: Pick<MailRequests, 'wake'> };

interface Asked {
  email: string;
  purpose: MailRequestPurpose;
  table: MailRequestTable;
  addressGroup: string;
  /** Of a code with which to log in: the hash of the secret of the browser that asks. */
  requestHash?: Buffer | undefined;
}

/** The usual time for storing a request: no request is answered sooner. */
const MAIL_MS = 60;

/**
 * Records an anonymous request for a mail to an email. The answer and its timing are the same whether or not the
 * email has an account: that is looked up after the answer. Limits apply per client address.
 */
export async function requestMail(deps: Deps, asked: Asked, origin: Origin): Promise<Throttled | undefined> {
  return withMinimumDuration(MAIL_MS, takeDown(deps, asked, origin));
}

async function takeDown(deps: Deps, asked: Asked, origin: Origin): Promise<Throttled | undefined> {
  const { email, purpose, table, addressGroup, requestHash } = asked;
  const limited = await takeShare(deps.mailsAskedFor, addressGroup);
  if (limited !== undefined) return limited;
  const { traceId } = origin;
  const key = emailKey(normalizeEmail(email) ?? '');
  const request = { emailKey: key, purpose, traceId, addressGroup, requestHash };
  await inTransaction(deps.db, origin, (tx) => mailRequests.add(tx, table, request));
  deps.mailRequests.wake();
  return undefined;
}
