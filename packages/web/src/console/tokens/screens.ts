import type { Screen } from '../screen.ts';
import { TokenScreen } from './token-screen.tsx';
import { TokensScreen } from './tokens-screen.tsx';

export const tokenScreens: readonly Screen[] = [
  {
    path: '/tokens',
    component: TokensScreen,
    nav: { label: 'c.tokens.title', icon: 'tokens', key: 't' },
  },
  { path: '/tokens/:id', component: TokenScreen },
];
