import type { Screen } from '../screen.ts';
import { SignOnScreen } from './sign-on-screen.tsx';

export const signOnScreens: readonly Screen[] = [
  { path: '/sign-on', component: SignOnScreen, nav: { label: 'c.signOn.title', icon: 'signOn', key: 'n' } },
];
