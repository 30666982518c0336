import type { Screen } from '../screen.ts';
import { ProfileScreen } from './profile-screen.tsx';

export const profileScreens: readonly Screen[] = [
  {
    path: '/profile',
    component: ProfileScreen,
    nav: { label: 'c.profile.title', icon: 'profile', key: 'p' },
  },
];
