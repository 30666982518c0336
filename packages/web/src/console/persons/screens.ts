import type { Screen } from '../screen.ts';
import { PersonScreen } from './person-screen.tsx';
import { PersonsScreen } from './persons-screen.tsx';

export const personScreens: readonly Screen[] = [
  {
    path: '/persons',
    component: PersonsScreen,
    nav: { label: 'c.persons.title', icon: 'persons', key: 'f' },
  },
  { path: '/persons/:id', component: PersonScreen },
];
