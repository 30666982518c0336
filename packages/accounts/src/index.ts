export { isGuestLoginCode, takeGuestLogin } from './guest/first-session.ts';
export { acceptInvitation } from './guest/accept-invitation.ts';
export { accountUpdated, differingNames } from './account/admin/account-updated.ts';
export {
  CHANGED_MAX,
  inBatches,
  SHOWN_MAX,
  UNPROVEN_MAX,
  type BulkOrder,
  type Reading,
} from './bulk-change.ts';
export {
  cancelByFormerEmail,
  recordTakenBack,
  replayErasure,
  scheduleErasure,
  type ScheduleErasureResult,
} from './erasure/erasure.ts';
export { exportAccount, EXPORT_ROWS_MAX } from './erasure/export.ts';
export { actorOf } from './actor.ts';
export { applyAccountChanges, changeAccount, planAccountChanges } from './account/admin/change-accounts.ts';
export {
  takeShare,
  withSignOnThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from './checks/attempts.ts';
export { allowsEmailLogin } from './checks/allows-email-login.ts';
export { countOnCommit } from './checks/count-on-commit.ts';
export { voidBegunLogins } from './checks/void-begun-logins.ts';
export { withDevice } from './checks/with-device.ts';
export { checkCode, type CodeOutcome } from './checks/code-check.ts';
export {
  createAccount,
  insertAccount,
  removeUnverified,
  type AccountToCreate,
  type By,
} from './account/admin/create-account.ts';
export { checkOwnPassword, checkPassword, describePasswordFault } from './checks/credentials.ts';
export type { AccountsDeps, Origin } from './deps.ts';
export { countRows, type Counted } from './count-rows.ts';
export { LINK_SECONDS } from './guest/guest-mails.ts';
export {
  distinctEmails,
  InvitedUsers,
  invitedUsers,
  InviteFields,
  removedFrom,
  RemovedUsers,
  removedUsers,
  RemoveFields,
  type Sharing,
} from './guest/sharing.ts';
export { importAccounts, IMPORT_FAULTS, type Import } from './import/import-accounts.ts';
export { ImportLine } from './import/import-line.ts';
export { countInvitations, holdContent, inviteByLink, inviteUsers } from './guest/invite.ts';
export { awaitsGuest } from './guest/revive-guest.ts';
export {
  conditionOf,
  isCompletable,
  isOpenToRegistration,
  isResettable,
  isVerifiable,
  loginStatusOf,
  requiresSecondFactor,
  type AccountCondition,
  usesSecondFactor,
} from './checks/login-status.ts';
export { issueChallenge } from './passkey/issue-challenge.ts';
export {
  countedForOwner,
  enabledBy,
  enableTwoFactor,
  findProof,
  findStep,
  newRecoveryCodes,
  newSecret,
  type OwnCode,
} from './two-factor/second-factor.ts';
export { requestAnyPasskey, requestOwnPasskey, type PasskeyRequested } from './passkey/request-passkey.ts';
export { deletePasskey } from './passkey/remove-passkey.ts';
export { proveOwner, type OwnerProof, type OwnerProofInput } from './passkey/prove-owner.ts';
export { requestMail } from './mail/request-mail.ts';
export { mailLoginCode } from './email-login/email-login.ts';
export { startMailRequests, type MailRequests } from './mail/mail-requests.ts';
export { canRemoveAdministrators, needsProof } from './account/admin/account-change.ts';
export {
  deleteInvitations,
  planRemails,
  recordInvitations,
  remailInvitation,
  remailInvitations,
  type RemailRefusal,
} from './guest/remail.ts';
export {
  countedAs,
  mailCode,
  mailCodeForAdministrator,
  mailNotice,
  mayNotify,
  receivesMail,
  recipientOf,
  sourceOf,
  usedUp,
  withholdCode,
} from './checks/mailing.ts';
export { openPasskeys } from './open/open-passkeys.ts';
export { passkeySettings } from './settings/passkey-settings.ts';
export { openAccounts, type OpenAccounts } from './open/open-accounts.ts';
export { isOnline, readPresence } from './session/presence.ts';
export { refresh, refusalOfEnded, wasSeenSince } from './session/refresh/refresh.ts';
export {
  deleteContent,
  endAccess,
  removeAccess,
  tryToRemoveRetiredGuests,
  writeRetiring,
} from './guest/access.ts';
export type { FeedListener } from './session/session-feed.ts';
export { endClientSession, logout } from './session/logout.ts';
export { asOwner, write, type Author, type WriteTransaction } from './session/write.ts';
export {
  endSessions,
  openSession,
  publishSessions,
  type OnSessionOpen,
  type TokenSet,
} from './session/open-and-end.ts';
export { isExclusive } from './session/is-exclusive.ts';
export { roomForRevived } from './session/slots/find-slot.ts';
export { isSingleSession, knownTags, SLOTS_MAX } from './session/slots/session-slots.ts';
export { tagFact } from './session/slots/tag-fact.ts';
export { ping } from './session/ping.ts';
export {
  loginWithToken,
  RecoveryCodes,
  requestSecondFactor,
  SECOND_STEPS,
} from './two-factor/two-factor-login.ts';
export { LOGIN_FIELDS, loginForms, MAIL_CODE_FIELDS, readLoginStep, takeLoginStep } from './login/steps.ts';
export { ownSession, provesFreshly } from './session/confirmation/proves-freshly.ts';
export { confirmSession } from './session/confirmation/confirm-session.ts';
export {
  deferLogouts,
  identityDigest,
  isLoggedOut,
  recordLogout,
  SIGN_ON_SECONDS,
  type SignedOnIdentity,
  type SignOnRules,
} from './sso/provider-logouts.ts';
export {
  exchangeSignOn,
  isAdmitted,
  isSignOnCode,
  newSignOnCode,
  openBySso,
  takeSignOn,
} from './sso/sign-on.ts';
export { renewSso, type SsoRenewal } from './sso/sso-renew.ts';
export {
  CODE_SECONDS,
  exchangeCode,
  exchangeThrottled,
  EXPIRED_CHECK,
  FAILED_CHECK,
  handedOver,
  ofActiveSession,
  type CodeExchange,
  type PresentedForSession,
} from './handover/session-code.ts';
export { cachedSessionOf, LOGOUT, PROVIDER_LOGOUT } from './session/session-source.ts';
export { sessionCookie } from './session/session-cookie.ts';
export { accountSettings, type AccountSettings } from './settings/account-settings.ts';
export { consoleSettings, pagesSettings } from './settings/browser-settings.ts';
export {
  idTokenSettings,
  issuingSettings,
  twoFactorSettings,
  verifyingSettings,
} from './settings/key-settings.ts';
export type { ServiceSettings } from './settings/service-settings.ts';
