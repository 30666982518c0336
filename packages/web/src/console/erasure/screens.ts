import type { Screen } from '../screen.ts';
import { ErasuresScreen } from './erasures-screen.tsx';

export const erasureScreens: readonly Screen[] = [
  {
    path: '/erasures',
    component: ErasuresScreen,
    nav: { label: 'c.erasures.title', icon: 'erase', key: 'e' },
  },
];
