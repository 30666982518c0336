import { Button } from '../../ui/form/button.tsx';
import type { Answer } from '../api/call-api.ts';
import { useWords } from '../text.ts';
import { beginSignOn } from './sign-on.ts';

interface ProviderButtonsProps {
  options: Answer<'GET /console/options'>;
  /** Whether the sign-on confirms the signed-in administrator's identity, instead of opening a session. */
  confirms?: boolean;
}

/**
 * Single sign-on, if the installation has identity providers. Buttons rather than links: a link can be opened in
 * another tab, which would lack the stored state of the sign-on.
 */
export function ProviderButtons({ options, confirms = false }: ProviderButtonsProps) {
  const words = useWords();
  const begin = (loginUrl: string): void => {
    const path = location.pathname + location.search;
    const { SignOnUrl } = options;
    // On one machine the console has two origins (localhost and 127.0.0.1), and each has its own sessionStorage: the
    // sign-on must begin on the origin to which the provider returns.
    if (SignOnUrl !== undefined && new URL(SignOnUrl).origin !== location.origin)
      return location.assign(new URL(path, SignOnUrl));
    location.assign(beginSignOn(loginUrl, { path, confirms }, sessionStorage));
  };
  return (
    <>
      {options.Providers.map(({ Id, Name }) => (
        <Button key={Id} wide onClick={() => begin(`/auth/${Id}/login`)}>
          {words('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}
