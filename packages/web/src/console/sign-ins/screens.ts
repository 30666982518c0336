import type { Screen } from '../screen.ts';
import { SignInsScreen } from './sign-ins-screen.tsx';

export const signInsScreens: readonly Screen[] = [
  {
    path: '/sign-ins',
    component: SignInsScreen,
    nav: { label: 'c.signIns.title', icon: 'clock', key: 'l' },
  },
];
