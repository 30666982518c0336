import { useLocation } from 'preact-iso';
import { usePageData } from '../../ui/api/page-data.ts';
import { PATHS } from '../paths.ts';

/** Opens the app, or else the profile page, for somebody who has signed in without the login page. */
export function useOpenAccount(): () => void {
  const { route } = useLocation();
  const { AppUrl } = usePageData();
  return () => (AppUrl === undefined ? route(PATHS.profile, true) : location.assign(AppUrl));
}
