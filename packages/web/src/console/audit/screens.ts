import type { Screen } from '../screen.ts';
import { AuditScreen } from './audit-screen.tsx';

export const auditScreens: readonly Screen[] = [
  {
    path: '/audit',
    component: AuditScreen,
    nav: { label: 'c.audit.title', icon: 'audit', key: 'u' },
  },
];
