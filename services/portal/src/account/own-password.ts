import { checkOwnPassword, type ProvedAccount } from '@gatehouse/accounts';
import { addressGroup, type Refuse, type RequestFacts, tooManyFailures } from '@gatehouse/http';
import type { Deps } from '../deps.ts';

/**
 * The caller's account, as it was when its password was found to be right, with the proof of that. Failures count as those of logins:
 * a stolen session is no way to guess the password at leisure.
 */
export async function provePassword(
  deps: Deps,
  accountId: string,
  password: string,
  request: RequestFacts,
  refuse: Refuse<'wrong_password' | 'too_many_requests'>,
): Promise<ProvedAccount> {
  const from = addressGroup(request.address);
  const outcome = await checkOwnPassword(deps, { accountId, password, addressGroup: from });
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(refuse, outcome);
  if ('failed' in outcome) throw refuse('wrong_password');
  return outcome;
}
