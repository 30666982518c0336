export { beginTwoFactor } from './begin-two-factor.ts';
export { acceptInvitation } from './accept-invitation.ts';
export { deleteInvitation, resendInvitation, type Resent } from './administer-invitations.ts';
export { actorOf, byOwner } from './actor.ts';
export { changeAccount, type Administered } from './administer-account.ts';
export { takeMailShare, type Throttled } from './attempts.ts';
export { changeSessions } from './change-sessions.ts';
export { checkCode, type CodeOutcome } from './code-check.ts';
export { createAccount, type AccountToCreate, type By } from './create-account.ts';
export {
  checkOwnPassword,
  checkPassword,
  describePasswordFault,
  renewHash,
  type ProvedAccount,
} from './credentials.ts';
export type { AccountsDeps, AccountSettings, Origin } from './deps.ts';
export { changeProfile } from './change-profile.ts';
export { distinctEmails } from './distinct-emails.ts';
export { findSessions, seen, type SeenSession, type SessionFilter } from './find-sessions.ts';
export { bootstrapAdmin, type FirstAdminSettings } from './first-admin.ts';
export type { Sharing } from './guest-mails.ts';
export { importAccounts, ImportLine, type Import } from './import-accounts.ts';
export { inviteUsers } from './invite-users.ts';
export {
  asksForSecondFactor,
  conditionOf,
  isOpenToRegistration,
  isResettable,
  loginStatusOf,
  type AccountCondition,
} from './login-status.ts';
export { mailInvitationAnew, type Remailed, type RemailRefusal } from './mail-invitation-anew.ts';
export { mailCode, mailNotice, withholdCode } from './mailing.ts';
export { openAccounts, type ServiceSettings } from './open.ts';
export { isOnline, readPresence } from './presence.ts';
export { retryMail, type RetriedMail } from './retry-mail.ts';
export { refresh } from './refresh.ts';
export { deleteContent, removeAccess } from './remove-access.ts';
export {
  CHANGED_MAX,
  SHOWN_MAX,
  type ChangedInvitation,
  type ChangeRefusal,
  type ChangeTarget,
} from './session-change.ts';
export { endSessions, logout, openSession, ping, publishSessions, type TokenSet } from './sessions.ts';
export { removeLostTwoFactor, startReset } from './rescue-account.ts';
export { createStaticToken, revokeStaticToken } from './static-tokens.ts';
export type { SsoPerson, SsoRules } from './sso-account.ts';
export { loginBySso, type SsoRefusal } from './sso-login.ts';
export { renewSso } from './sso-renew.ts';
export {
  askForSecondFactor,
  loginWithCode,
  loginWithToken,
  type SecondStep,
  type TwoFactorLogin,
} from './two-factor-login.ts';
export { confirmTwoFactor, removeTwoFactor } from './two-factor.ts';
