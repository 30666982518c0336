import { ButtonLink } from '../ui/button.tsx';
import { useText } from '../ui/locale.ts';
import type { AccountOptions } from './account-options.ts';

/** Single sign-on, where the installation has it. */
export function ProviderButtons({ options }: { options: AccountOptions | undefined }) {
  const text = useText();
  return (
    <>
      {options?.Providers.map(({ Id, Name, LoginUrl }) => (
        <ButtonLink key={Id} href={LoginUrl} wide>
          {text('login.provider', { provider: Name })}
        </ButtonLink>
      ))}
    </>
  );
}
