import { ssoIdentities, type Account, type Executor } from '@gatehouse/db';
import { asksForSecondFactor } from './login-status.ts';

/**
 * Whether a sign-on lets the owner in: by an identity at one of the `providers` that the installation offers. Where a second
 * factor is asked for, a sign-on may not be enough: that depends on the provider, and is not counted on.
 */
export async function canSignOn(
  executor: Executor,
  account: Account,
  providers: readonly string[],
): Promise<boolean> {
  if (asksForSecondFactor(account)) return false;
  const own = await ssoIdentities.findOfAccount(executor, account.id);
  return own.some(({ provider }) => provider !== null && providers.includes(provider));
}
