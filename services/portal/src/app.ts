import type { OpenAccounts } from '@gatehouse/accounts';
import type { ApiDefinition, Route } from '@gatehouse/http';
import { VERSION, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { pageRoutes } from '@gatehouse/web';
import { emailAvailability, profileRoutes } from './account/profile.ts';
import { endSession, listSessions, streamSession } from './account/session/session.ts';
import { SessionWatch } from './account/session/session-watch.ts';
import type { Deps } from './deps.ts';
import {
  answerInvitationRequests,
  getInvitation,
  registerGuest,
  resendInvitation,
} from './guest/invitation.ts';
import {
  inviteUser,
  listMembers,
  listOwnContent,
  removeUser,
  resendContentInvitations,
} from './guest/sharing.ts';
import { listChannelUsers } from './live-channel/list-channel-users.ts';

export const about = {
  title: 'Gatehouse Portal API',
  version: VERSION,
  description: 'Self-service for accounts and sessions, guest access, and presence in live channels.',
  cookies: ['pages'],
  tags: {
    Sessions: 'The caller’s own sessions',
    Account: 'The caller’s own profile',
    Guests: 'Sharing content: invitations, guests, and who is watching a live channel',
  },
} as const;

export const routes: Route<Deps>[] = [
  ...profileRoutes,
  emailAvailability,
  listSessions,
  streamSession,
  endSession,
  listOwnContent,
  listMembers,
  listChannelUsers,
  inviteUser,
  resendContentInvitations,
  getInvitation,
  registerGuest,
  resendInvitation,
  removeUser,
];

interface PortalOptions extends Pick<Deps, 'contentUrl'> {
  pages?: Parameters<typeof pageRoutes>[0] | undefined;
  lifecycle: Lifecycle;
  metrics: Metrics;
}

/** Creates Portal's API and, with `pages`, the account pages, and mails requested invitations until `lifecycle` ends. */
export function portalApi(
  { auth, ...accounts }: OpenAccounts,
  { contentUrl, pages, lifecycle, metrics }: PortalOptions,
): ApiDefinition<Deps> {
  const mailRequests = answerInvitationRequests(accounts, metrics);
  lifecycle.every(5, 'counting requests for invitations', () => mailRequests.countWaiting());
  lifecycle.onStop(() => mailRequests.stop());
  const sessionWatch = new SessionWatch(accounts);
  lifecycle.onStop(() => sessionWatch.stop());
  return {
    ...about,
    routes,
    pages: pages && pageRoutes(pages),
    deps: { ...accounts, authenticate: auth.authenticate, contentUrl, mailRequests, sessionWatch },
    auth,
  };
}
