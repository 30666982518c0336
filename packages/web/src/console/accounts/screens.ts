import type { Screen } from '../screen.ts';
import { AccountsScreen } from './accounts-screen.tsx';

export const accountScreens: readonly Screen[] = [
  {
    path: '/accounts',
    component: AccountsScreen,
    nav: { label: 'c.accounts.title', icon: 'accounts', key: 'a' },
  },
];
