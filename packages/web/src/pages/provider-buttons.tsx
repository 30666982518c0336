import { usePageData } from '../ui/api/page-data.ts';
import { Button } from '../ui/form/button.tsx';
import { ProviderIcon } from '../ui/icon.tsx';
import { useText } from '../ui/locale/locale.ts';
import type { AccountOptions } from './account-options.ts';
import type { Return } from './login/destination.ts';
import { beginSignOn } from './login/sign-on/sign-on.ts';

interface ProviderButtonsProps {
  options: AccountOptions | undefined;
  /** Where to go after the login. */
  back: Return;
  /** Whether the session lasts after the browser is closed. */
  keep?: boolean;
  /** Whether the provider must authenticate the user again, as a proof of identity. */
  isFresh?: boolean;
}

/** Single sign-on, if configured. Buttons, because a link could be opened in a tab that has not begun the sign-on. */
export function ProviderButtons({ options, back, keep = false, isFresh = false }: ProviderButtonsProps) {
  const text = useText();
  const { Locale: locale } = usePageData();
  return (
    <>
      {options?.Providers.map(({ Id, Name, LoginUrl }) => (
        <Button
          key={Id}
          wide
          icon={<ProviderIcon />}
          onClick={() =>
            location.assign(beginSignOn(LoginUrl, { back, keep, isFresh, locale }, sessionStorage))
          }
        >
          {text('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}
