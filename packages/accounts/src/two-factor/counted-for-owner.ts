import { accounts } from '@gatehouse/db';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';
import {
  withSecondFactorThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from '../checks/attempts.ts';
import { canBeSecondFactor } from './second-factor.ts';

/** A second factor given by an owner who is logged in. */
export interface OwnCode {
  accountId: string;
  code: string;
  addressGroup: string;
}

/** Why nothing was changed; `conflict`: the account's two-factor state does not allow it. */
export type Refused = { kind: 'failed' } | { kind: 'conflict' } | Throttled;

/**
 * Runs a check that is counted like that of a password. A correct code does not clear failures here: they include
 * guesses of the password, and an attacker with their own authenticator could otherwise guess without limit.
 */
export async function countedForOwner<T extends { kind: string }>(
  deps: ThrottleDeps & Pick<AccountsDeps, 'relay'>,
  { accountId, code, addressGroup }: OwnCode,
  check: () => Promise<T | Refused>,
): Promise<T | Refused> {
  if (!canBeSecondFactor(code)) return { kind: 'failed' };
  const checked = await withThrottle(
    deps,
    { by: 'address', addressGroup },
    async (): Promise<CheckResult<T | Refused>> => {
      const account = await accounts.findById(deps.db, accountId);
      if (account === undefined) return { counts: 'aborted', outcome: { kind: 'conflict' } };
      return withSecondFactorThrottle(
        deps,
        { account, addressGroup },
        async (): Promise<CheckResult<T | Refused>> => {
          const outcome = await check();
          return { counts: outcome.kind === 'failed' ? 'failed' : 'partialSuccess', outcome };
        },
      );
    },
  );
  deps.relay.wake();
  return checked.outcome;
}
