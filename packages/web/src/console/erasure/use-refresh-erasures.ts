import { useRefreshAccount } from '../account/use-refresh-account.ts';
import { useRefresh } from '../api/use-query.ts';

/** Fetches all data again that an erasure, or taking it back, may affect. */
export function useRefreshErasures(): () => Promise<void> {
  const refreshAccount = useRefreshAccount();
  const refresh = useRefresh();
  return async () => {
    await Promise.all([
      refreshAccount(),
      refresh('GET /admin/erasure', 'GET /admin/content-definition', 'GET /admin/account/{id}/content'),
    ]);
  };
}
