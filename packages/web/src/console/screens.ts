import type { Screen } from './screen.ts';
import type { TextKey } from './text.ts';
import { oneAccountScreens } from './account/account-screen.tsx';
import { accountScreens } from './accounts/accounts.tsx';
import { applicationScreens } from './applications/applications.tsx';
import { auditScreens } from './audit/audit.tsx';
import { contentScreens } from './content/content.tsx';
import { erasureScreens } from './erasure/erasure.tsx';
import { importScreens } from './import/import.tsx';
import { invitationScreens } from './invitations/invitations.tsx';
import { mailScreens } from './mails/mails.tsx';
import { overviewScreens } from './overview/overview.tsx';
import { personScreens } from './persons/persons.tsx';
import { profileScreens } from './profile/profile.tsx';
import { sessionScreens } from './sessions/sessions.tsx';
import { signInsScreens } from './sign-ins/sign-ins.tsx';
import { signOnScreens } from './sign-on/sign-on.tsx';
import { systemScreens } from './system/system.tsx';
import { tokenScreens } from './tokens/tokens.tsx';
import { webhookScreens } from './webhooks/webhooks.tsx';

interface ScreenGroup {
  /** The heading of the group in the navigation bar; absent for the start. */
  title?: TextKey;
  screens: readonly Screen[];
}

/** Every screen, in the groups and the order of the navigation bar. */
export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  { screens: [...overviewScreens, ...profileScreens] },
  {
    title: 'shell.people',
    screens: [
      ...accountScreens,
      ...oneAccountScreens,
      ...sessionScreens,
      ...signInsScreens,
      ...invitationScreens,
      ...erasureScreens,
      ...importScreens,
    ],
  },
  { title: 'shell.content', screens: [...contentScreens, ...personScreens] },
  { title: 'shell.operations', screens: [...mailScreens, ...auditScreens, ...systemScreens] },
  {
    title: 'shell.settings',
    screens: [...tokenScreens, ...applicationScreens, ...webhookScreens, ...signOnScreens],
  },
];

export const SCREENS: readonly Screen[] = SCREEN_GROUPS.flatMap(({ screens }) => screens);
