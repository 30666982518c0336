import type { Screen } from '../screen.ts';
import { SessionScreen } from './session-screen.tsx';
import { SessionsScreen } from './sessions-screen.tsx';

export const sessionScreens: readonly Screen[] = [
  {
    path: '/sessions',
    component: SessionsScreen,
    nav: { label: 'c.sessions.title', icon: 'sessions', key: 's' },
  },
  { path: '/sessions/:id', component: SessionScreen },
];
