import type { Screen } from './screen.ts';
import { oneAccountScreens } from './account/screens.ts';
import { accountScreens } from './accounts/screens.ts';
import { auditScreens } from './audit/screens.ts';
import { contentScreens } from './content/screens.ts';
import { erasureScreens } from './erasure/screens.ts';
import { importScreens } from './import/screens.ts';
import { invitationScreens } from './invitations/screens.ts';
import { mailScreens } from './mails/screens.ts';
import { overviewScreens } from './overview/screens.ts';
import { personScreens } from './persons/screens.ts';
import { profileScreens } from './profile/screens.ts';
import { sessionScreens } from './sessions/screens.ts';
import { signInsScreens } from './sign-ins/screens.ts';
import { signOnScreens } from './sign-on/screens.ts';
import { systemScreens } from './system/screens.ts';
import { tokenScreens } from './tokens/screens.ts';

/** Every screen, in the order of the navigation bar. */
export const SCREENS: readonly Screen[] = [
  ...overviewScreens,
  ...accountScreens,
  ...oneAccountScreens,
  ...sessionScreens,
  ...signInsScreens,
  ...contentScreens,
  ...invitationScreens,
  ...mailScreens,
  ...tokenScreens,
  ...auditScreens,
  ...erasureScreens,
  ...personScreens,
  ...signOnScreens,
  ...importScreens,
  ...systemScreens,
  ...profileScreens,
];
