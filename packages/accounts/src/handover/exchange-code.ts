import { hashInvitationToken, type BrowserSession } from '@gatehouse/auth-core';
import { refusalOf } from '@gatehouse/redis';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';
import { withThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';

/** How long a code can be exchanged. */
export const CODE_SECONDS = 60;

const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

export interface ShownCode {
  code: string;
  addressGroup: string;
}

/**
 * Checks a code of a browser. Wrong codes are counted by address, like those of other kinds; a code that was valid but
 * came too late does not count.
 */
export async function exchangeThrottled<Outcome>(
  deps: ThrottleDeps,
  { code, addressGroup }: ShownCode,
  take: (codeHash: Buffer) => Promise<CheckResult<Outcome | { kind: 'failed' }>>,
): Promise<Outcome | { kind: 'failed' } | Throttled> {
  if (!CODE_FORM.test(code)) return { kind: 'failed' };
  const counted = { by: 'address', addressGroup } as const;
  return (await withThrottle(deps, counted, () => take(hashInvitationToken(code)))).outcome;
}

export const FAILED_CHECK: CheckResult<{ kind: 'failed' }> = {
  counts: 'failed',
  outcome: { kind: 'failed' },
};
export const EXPIRED_CHECK: CheckResult<{ kind: 'failed' }> = {
  counts: 'aborted',
  outcome: { kind: 'failed' },
};

type Deps = Pick<AccountsDeps, 'sessionCache' | 'settings'>;

/** Whether requests of this session are accepted now. */
export async function givesAccess(deps: Deps, { accountId, sessionId }: BrowserSession): Promise<boolean> {
  const reading = await deps.sessionCache.read(accountId, sessionId);
  return reading !== undefined && refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) === undefined;
}

/**
 * Whether the browser's present session is another account's and still valid. A code never replaces such a session by
 * itself: a link with somebody else's code would make the user continue in that person's account.
 */
export async function isElsewhere(
  deps: Deps,
  present: BrowserSession | undefined,
  accountId: string,
): Promise<boolean> {
  return present !== undefined && present.accountId !== accountId && givesAccess(deps, present);
}
