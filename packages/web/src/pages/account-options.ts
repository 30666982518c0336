import { useEffect, useState } from 'preact/hooks';
import { call } from '../ui/api/api.ts';

/** What the installation offers to visitors who are not signed in (`GET /account/options`). */
export interface AccountOptions {
  Registration: 'open' | 'closed';
  Passkeys?: boolean;
  Providers: { Id: string; Name: string; LoginUrl: string }[];
  /** Where this page was asked to lead back to, if that is allowed. */
  ReturnUrl?: string;
}

/** What the installation offers; nothing while that is not known, and the least of it where it cannot be asked. */
export function useAccountOptions(returnUrl: string | undefined): AccountOptions | undefined {
  const [options, setOptions] = useState<AccountOptions>();
  useEffect(() => {
    const asked = returnUrl === undefined ? '' : `?${new URLSearchParams({ returnUrl }).toString()}`;
    void call<AccountOptions>('GET', `/account/options${asked}`).then((result) => {
      setOptions(result.ok ? result.value : LEAST);
    });
  }, [returnUrl]);
  return options;
}

const LEAST: AccountOptions = { Registration: 'open', Providers: [] };
