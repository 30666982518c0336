import type { GetAccountOptionsResponse } from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../ui/api.ts';

/** The options of the installation for visitors who are not signed in. */
export type AccountOptions = Partial<GetAccountOptionsResponse> &
  Pick<GetAccountOptionsResponse, 'Registration' | 'Providers'>;

/** The options of the installation; `undefined` while they are loading. If they cannot be loaded, the minimum. */
export function useAccountOptions(returnUrl?: string): AccountOptions | undefined {
  const [options, setOptions] = useState<AccountOptions>();
  useEffect(() => {
    const asked = returnUrl === undefined ? '' : `?${new URLSearchParams({ returnUrl }).toString()}`;
    void call<AccountOptions>(`GET /account/options${asked}`).then((result) =>
      setOptions(result.ok ? result.value : { Registration: 'open', Providers: [] }),
    );
  }, [returnUrl]);
  return options;
}

export function isEmailLoginOffered(options: AccountOptions | undefined): boolean {
  return options?.EmailLogin === 'guests' || options?.EmailLogin === 'users';
}

export function hasEmailLogin(options: AccountOptions | undefined, role: string): boolean {
  const wanted = role === 'Guest' ? isEmailLoginOffered(options) : options?.EmailLogin === 'users';
  return wanted && role !== 'Admin';
}
