import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';

/** What the link of an invitation is about, as returned by the API. */
export interface Invitation {
  State: 'Open' | 'Used' | 'Expired' | 'Revoked';
  Email: string;
  Inviter?: string;
  Content?: { Name: string; Kind: string };
}

/** Finds out what the link with this token is about, which uses nothing up. */
export function useInvitation(token: string | undefined) {
  const [found, setFound] = useState<{ token?: string; value?: Invitation; problem?: Problem }>({});
  const reload = async (): Promise<void> => {
    if (token === undefined) return;
    const result = await call<Invitation>('POST', '/account/invitation', { InvitationToken: token });
    setFound(result.ok ? { token, value: result.value } : { token, problem: result.problem });
  };
  useEffect(() => void reload(), [token]);
  // What was found for an earlier link on this page is not shown for a newer one.
  const { value, problem } = found.token === token ? found : {};
  return { value, problem, reload };
}
