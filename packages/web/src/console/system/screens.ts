import type { Screen } from '../screen.ts';
import { SystemScreen } from './system-screen.tsx';

export const systemScreens: readonly Screen[] = [
  { path: '/system', component: SystemScreen, nav: { label: 'c.system.title', icon: 'system', key: 'y' } },
];
