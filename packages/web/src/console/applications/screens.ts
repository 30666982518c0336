import type { Screen } from '../screen.ts';
import { ApplicationScreen } from './application-screen.tsx';
import { ApplicationsScreen } from './applications-screen.tsx';

export const applicationScreens: readonly Screen[] = [
  {
    path: '/applications',
    component: ApplicationsScreen,
    nav: { label: 'c.applications.title', icon: 'applications', key: 'p' },
  },
  { path: '/applications/:id', component: ApplicationScreen },
];
