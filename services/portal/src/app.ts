import type { Auth } from '@gatehouse/auth-core';
import { createApi, type Route } from '@gatehouse/http';
import type { Log, Metrics } from '@gatehouse/runtime';
import { pageRoutes } from '@gatehouse/web';
import { changeEmail } from './account/change-email.ts';
import { changePassword } from './account/change-password.ts';
import { confirmEmail } from './account/confirm-email.ts';
import { emailAvailability } from './account/email-availability.ts';
import { endSession } from './account/end-session.ts';
import { getProfile } from './account/get-profile.ts';
import { listSessions } from './account/list-sessions.ts';
import { putProfile } from './account/put-profile.ts';
import { removeOwnTwoFactor } from './account/remove-two-factor.ts';
import { renewOwnRecoveryCodes } from './account/renew-recovery-codes.ts';
import { setUpTwoFactor } from './account/set-up-two-factor.ts';
import type { Deps } from './deps.ts';
import { exchangeHandover } from './handover/exchange-handover.ts';
import { handOverSession } from './handover/hand-over-session.ts';
import { inviteUser } from './guest/invite-user.ts';
import { registerGuest } from './guest/register-guest.ts';
import { resendInvitation } from './guest/resend-invitation.ts';
import { removeUser } from './guest/remove-user.ts';
import { listChannelUsers } from './live-channel/list-channel-users.ts';

export const about = {
  title: 'Gatehouse Portal API',
  version: '1',
  description: 'Self-service for accounts and sessions, guest access, and presence in live channels.',
  tags: {
    Account: 'The caller’s own profile, email address and password',
    Guests: 'Sharing content: invitations, guests, and who is watching a live channel',
    Sessions: 'The caller’s own sessions, and their hand-over to a browser',
    'Two-factor authentication': 'The second factor of the caller’s own account',
  },
};

export const routes: Route<Deps>[] = [
  getProfile,
  putProfile,
  emailAvailability,
  listSessions,
  endSession,
  changePassword,
  changeEmail,
  confirmEmail,
  setUpTwoFactor,
  removeOwnTwoFactor,
  renewOwnRecoveryCodes,
  handOverSession,
  exchangeHandover,
  listChannelUsers,
  inviteUser,
  registerGuest,
  resendInvitation,
  removeUser,
];

/** Portal's API and, where `pages` says what they need to know, the account pages. */
export function createPortal(options: {
  deps: Deps;
  auth: Auth;
  log: Log;
  metrics: Metrics;
  trustProxy: string;
  corsOrigins: string;
  pages?: Parameters<typeof pageRoutes>[0] | undefined;
}) {
  const { pages, ...rest } = options;
  return createApi<Deps>({
    ...about,
    routes: [...routes, ...(pages === undefined ? [] : pageRoutes(pages))],
    ...rest,
  });
}
