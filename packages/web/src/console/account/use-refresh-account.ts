import { useRefresh } from '../api/use-query.ts';

/** Fetches all data again that a change of an account may affect. */
export function useRefreshAccount(): () => Promise<void> {
  const refresh = useRefresh();
  return () =>
    refresh(
      'GET /admin/account/{id}',
      'GET /admin/account/{id}/standing',
      'GET /admin/account',
      'GET /admin/user-session',
      'GET /admin/audit',
    );
}
