import type { Screen } from '../screen.ts';
import { ContentScreen } from './content-screen.tsx';
import { ContentsScreen } from './contents-screen.tsx';

export const contentScreens: readonly Screen[] = [
  {
    path: '/content',
    component: ContentsScreen,
    nav: { label: 'c.content.title', icon: 'content', key: 'c' },
  },
  { path: '/content/:id', component: ContentScreen },
];
