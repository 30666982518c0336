import { Button } from '../ui/form/button.tsx';
import { useText } from '../ui/locale/locale.ts';
import type { AccountOptions } from './account-options.ts';
import { beginSignOn } from './login/sign-on/sign-on.ts';

interface ProviderButtonsProps {
  options: AccountOptions | undefined;
  /** Where the login is to lead. */
  returnUrl: string | undefined;
  /** Whether it is to last when the browser is closed. */
  keep?: boolean;
}

/** Single sign-on, where the installation has it. Buttons, as a link may be opened in another tab, which has not begun it. */
export function ProviderButtons({ options, returnUrl, keep = false }: ProviderButtonsProps) {
  const text = useText();
  return (
    <>
      {options?.Providers.map(({ Id, Name, LoginUrl }) => (
        <Button
          key={Id}
          wide
          onClick={() => location.assign(beginSignOn(LoginUrl, { returnUrl, keep }, sessionStorage))}
        >
          {text('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}
