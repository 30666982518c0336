import type { Screen } from '../screen.ts';
import { InvitationsScreen } from './invitations-screen.tsx';

export const invitationScreens: readonly Screen[] = [
  {
    path: '/invitations',
    component: InvitationsScreen,
    nav: { label: 'c.invitations.title', icon: 'invitations', key: 'i' },
  },
];
