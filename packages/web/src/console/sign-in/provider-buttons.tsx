import { Button } from '../../ui/form/button.tsx';
import type { Answer } from '../api/call-api.ts';
import { useWords } from '../text.ts';
import { beginSignOn } from './sign-on.ts';

interface ProviderButtonsProps {
  options: Answer<'GET /console/options'>;
  /** Whether they confirm who is signed in, instead of signing in. */
  confirms?: boolean;
}

/** Single sign-on, where the installation has it. Buttons, as a link may be opened in another tab, which has not begun it. */
export function ProviderButtons({ options, confirms = false }: ProviderButtonsProps) {
  const words = useWords();
  const begin = (loginUrl: string): void => {
    const path = location.pathname + location.search;
    const { SignOnUrl } = options;
    // The console has two addresses on one machine, and what a tab remembers belongs to one of them.
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
