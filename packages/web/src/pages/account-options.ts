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

/** Whether mailed codes log in accounts of this role. If anybody can use them, guests can. */
export function hasEmailLogin(options: AccountOptions | undefined, role = 'Guest'): boolean {
  if (role === 'Guest' && options?.EmailLogin === 'guests') return true;
  return role !== 'Admin' && options?.EmailLogin === 'users';
}
