import type { Screen } from '../screen.ts';
import { AccountScreen } from './account-screen.tsx';

export const oneAccountScreens: readonly Screen[] = [
  { path: '/accounts/:id', component: AccountScreen },
  { path: '/accounts/:id/:tab', component: AccountScreen },
];
