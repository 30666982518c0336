export { acceptInvitation } from './accept-invitation.ts';
export { actorOf } from './actor.ts';
export { takeMailShare, type Throttled } from './attempts.ts';
export { checkCode } from './code-check.ts';
export { checkOwnPassword, checkPassword, describePasswordFault, renewHash } from './credentials.ts';
export type { AccountsDeps, AccountSettings, Origin } from './deps.ts';
export { distinctEmails } from './distinct-emails.ts';
export type { Sharing } from './guest-mails.ts';
export { inviteUsers } from './invite-users.ts';
export { asksForSecondFactor, conditionOf, type AccountCondition } from './login-status.ts';
export { mailCode, mailNotice, withholdCode } from './mailing.ts';
export { openAccounts, type ServiceSettings } from './open.ts';
export { isOnline, readPresence } from './presence.ts';
export { refresh } from './refresh.ts';
export { deleteContent, removeAccess } from './remove-access.ts';
export { endSessions, logout, openSession, ping, publishSessions, type TokenSet } from './sessions.ts';
export {
  askForSecondFactor,
  loginWithCode,
  loginWithToken,
  type SecondStep,
  type TwoFactorLogin,
} from './two-factor-login.ts';
export { confirmTwoFactor, removeTwoFactor, startTwoFactor } from './two-factor.ts';
