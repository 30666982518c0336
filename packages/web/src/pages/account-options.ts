import { useEffect, useState } from 'preact/hooks';
import { call } from '../ui/api.ts';

/** What the installation offers to whoever is not signed in. */
export interface AccountOptions {
  Registration: 'open' | 'closed';
  Providers: { Id: string; Name: string; Url: string }[];
}

/** What the installation offers; nothing while that is not known, and nothing where it cannot be asked. */
export function useAccountOptions(): AccountOptions | undefined {
  const [options, setOptions] = useState<AccountOptions>();
  useEffect(() => {
    void call<AccountOptions>('GET', '/account/options').then((result) => {
      if (result.ok) setOptions(result.value);
    });
  }, []);
  return options;
}
