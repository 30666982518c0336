import type { Screen } from '../screen.ts';
import { AccountScreen } from './account-screen.tsx';
import { AccountsScreen } from './accounts-screen.tsx';

export const accountScreens: readonly Screen[] = [
  {
    path: '/accounts',
    component: AccountsScreen,
    nav: { label: 'c.accounts.title', icon: 'accounts', key: 'a' },
  },
  { path: '/accounts/:id', component: AccountScreen },
  { path: '/accounts/:id/:tab', component: AccountScreen },
];
