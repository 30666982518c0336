import type { Screen } from '../screen.ts';
import { MailScreen } from './mail-screen.tsx';
import { MailsScreen } from './mails-screen.tsx';
import { TemplatesScreen } from './templates-screen.tsx';

export const mailScreens: readonly Screen[] = [
  { path: '/mails', component: MailsScreen, nav: { label: 'c.mails.title', icon: 'mails', key: 'm' } },
  // Must precede `/mails/:id`. No mail has the id "templates".
  { path: '/mails/templates', component: TemplatesScreen },
  { path: '/mails/:id', component: MailScreen },
];
