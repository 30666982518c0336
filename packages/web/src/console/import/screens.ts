import type { Screen } from '../screen.ts';
import { ImportScreen } from './import-screen.tsx';

export const importScreens: readonly Screen[] = [
  {
    path: '/import',
    component: ImportScreen,
    nav: { label: 'c.import.title', icon: 'import', key: 'j' },
  },
];
