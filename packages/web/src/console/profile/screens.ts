import type { Screen } from '../screen.ts';
import { ProfileScreen } from './profile-screen.tsx';

/** In the menu at the top right, not in the navigation. */
export const profileScreens: readonly Screen[] = [{ path: '/profile', component: ProfileScreen }];
