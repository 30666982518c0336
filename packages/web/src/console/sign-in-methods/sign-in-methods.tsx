import type { Account } from '../account/account.ts';
import { IdentitiesCard } from './identities-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { StaticTokensCard } from './static-tokens-card.tsx';

/** The sign-in methods of an account, and the API tokens that its owner has created. */
export function SignInMethods({ account }: { account: Account }) {
  return (
    <>
      <PasswordCard account={account} />
      <SecondFactorCard account={account} />
      <PasskeysCard account={account} />
      <IdentitiesCard account={account} />
      <StaticTokensCard id={account.Id} />
    </>
  );
}
