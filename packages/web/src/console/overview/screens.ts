import type { Screen } from '../screen.ts';
import { OverviewScreen } from './overview-screen.tsx';

export const overviewScreens: readonly Screen[] = [
  {
    path: '',
    component: OverviewScreen,
    nav: { label: 'c.overview.title', icon: 'overview', key: 'o' },
  },
];
