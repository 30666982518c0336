import { ssoIdentities, type Account, type Executor } from '@gatehouse/db';
import { requiresSecondFactor } from './login-status.ts';

/**
 * Whether the owner can log in by single sign-on: with an identity at one of the `providers` that the installation
 * offers. `false` if a second factor is required: whether a sign-on is enough then depends on the provider, so it is
 * not relied on.
 */
export async function canSignOn(
  executor: Executor,
  account: Account,
  providers: readonly string[],
): Promise<boolean> {
  if (requiresSecondFactor(account)) return false;
  const own = await ssoIdentities.findOfAccount(executor, account.id);
  return own.some(({ provider }) => providers.includes(provider));
}
