import { useLocation } from 'preact-iso';
import { usePageData } from '../../ui/api/page-data.ts';
import { PATHS } from '../paths.ts';
import { isAuthorization, type Return } from './destination.ts';

/**
 * Opens the app, or else the profile page, for somebody who has signed in without the login page.
 *
 * @param back where they were on the way to: the request of an app comes first.
 */
export function useOpenAccount(back: Return = {}): () => void {
  const { route } = useLocation();
  const { AppUrl } = usePageData();
  const { returnUrl } = back;
  if (returnUrl !== undefined && isAuthorization(returnUrl)) return () => route(returnUrl, true);
  return () => (AppUrl === undefined ? route(PATHS.profile, true) : location.assign(AppUrl));
}
