import type { Screen } from '../screen.ts';
import { MailScreen } from './mail-screen.tsx';
import { MailsScreen } from './mails-screen.tsx';
import { TemplatesScreen } from './templates-screen.tsx';

export const mailScreens: readonly Screen[] = [
  { path: '/mails', component: MailsScreen, nav: { label: 'c.mails.title', icon: 'mails', key: 'm' } },
  // Before the mails, of which none has this id.
  { path: '/mails/templates', component: TemplatesScreen },
  { path: '/mails/:id', component: MailScreen },
];
