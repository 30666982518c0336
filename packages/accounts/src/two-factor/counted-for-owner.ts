import { accounts } from '@gatehouse/db';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';
import {
  withSecondFactorThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from '../login/attempts.ts';
import { canBeSecondFactor } from './second-factor.ts';

/** Somebody who is logged in shows a second factor. */
export interface OwnCode {
  accountId: string;
  code: string;
  addressGroup: string;
}

/** Why nothing came of it; `conflict`: two-factor is not in the state for that. */
export type Refused = { kind: 'failed' } | { kind: 'conflict' } | Throttled;

/**
 * Makes a check that counts as a wrong password would. A right code forgets no failures here: guesses of the password
 * are among them, and with an authenticator of their own somebody could go on guessing for ever.
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
