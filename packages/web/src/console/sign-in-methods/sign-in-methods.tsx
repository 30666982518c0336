import type { Account } from '../account/account.ts';
import { IdentitiesCard } from './identities-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { StaticTokensCard } from './static-tokens-card.tsx';

/** By what an account's owner signs in, and what they have made for others to sign in by. */
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
