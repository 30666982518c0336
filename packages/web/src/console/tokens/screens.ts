import type { Screen } from '../screen.ts';
import { TokensScreen } from './tokens-screen.tsx';

export const tokenScreens: readonly Screen[] = [
  {
    path: '/tokens',
    component: TokensScreen,
    nav: { label: 'c.tokens.title', icon: 'tokens', key: 't' },
  },
];
