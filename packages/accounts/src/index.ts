export { canRemoveAdministrators, needsProof } from './account/admin/account-change.ts';
export { accountUpdated, differingNames } from './account/admin/create-account.ts';
export { applyAccountChanges, changeAccount, planAccountChanges } from './account/admin/change-accounts.ts';
export {
  createAccount,
  insertAccount,
  removeUnverified,
  type AccountToCreate,
  type By,
} from './account/admin/create-account.ts';
export { actorOf } from './actor.ts';
export {
  CHANGED_MAX,
  inBatches,
  SHOWN_MAX,
  UNPROVEN_MAX,
  type BulkOrder,
  type Reading,
} from './bulk-change.ts';
export {
  takeShare,
  withSignOnThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from './checks/attempts.ts';
export { checkCode, type CodeOutcome } from './checks/code-check.ts';
export { countOnCommit } from './checks/count-on-commit.ts';
export { checkOwnPassword, checkPassword, describePasswordFault } from './checks/credentials.ts';
export { withDevice } from './checks/mailing.ts';
export {
  allowsEmailLogin,
  conditionOf,
  isCompletable,
  isOpenToRegistration,
  isResettable,
  isVerifiable,
  loginStatusOf,
  requiresSecondFactor,
  usesSecondFactor,
  type AccountCondition,
} from './checks/login-status.ts';
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
export { countRows, type Counted } from './count-rows.ts';
export type { AccountsDeps, Origin } from './deps.ts';
export { mailLoginCode } from './email-login/email-login.ts';
export {
  cancelByFormerEmail,
  recordTakenBack,
  replayErasure,
  scheduleErasure,
  type ScheduleErasureResult,
} from './erasure/erasure.ts';
export { EXPORT_ROWS_MAX, exportAccount } from './erasure/export.ts';
export { acceptInvitation } from './guest/accept-invitation.ts';
export {
  deleteContent,
  endAccess,
  removeAccess,
  tryToRemoveRetiredGuests,
  writeRetiring,
} from './guest/access.ts';
export { isGuestLoginCode, takeGuestLogin } from './guest/accept-invitation.ts';
export { LINK_SECONDS } from './guest/guest-mails.ts';
export { countInvitations, holdContent, inviteByLink, inviteUsers } from './guest/invite.ts';
export {
  deleteInvitations,
  planRemails,
  recordInvitations,
  remailInvitation,
  remailInvitations,
  type RemailRefusal,
} from './guest/remail.ts';
export { awaitsGuest } from './guest/remail.ts';
export {
  distinctEmails,
  invitedUsers,
  InvitedUsers,
  InviteFields,
  removedFrom,
  removedUsers,
  RemovedUsers,
  RemoveFields,
  type Sharing,
} from './guest/sharing.ts';
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
export { IMPORT_FAULTS, importAccounts, ImportLine, type Import } from './import/import-accounts.ts';
export { LOGIN_FIELDS, loginForms, MAIL_CODE_FIELDS, readLoginStep, takeLoginStep } from './login/steps.ts';
export { requestMail, startMailRequests, type MailRequests } from './mail/mail-requests.ts';
export { openAccounts, type OpenAccounts } from './open/open-accounts.ts';
export { openPasskeys } from './open/open-passkeys.ts';
export { proveOwner, type OwnerProof, type OwnerProofInput } from './passkey/prove-owner.ts';
export { deletePasskey } from './passkey/remove-passkey.ts';
export {
  issueChallenge,
  requestAnyPasskey,
  requestOwnPasskey,
  type PasskeyRequested,
} from './passkey/request-passkey.ts';
export { confirmSession } from './session/confirmation/confirm-session.ts';
export { ownSession, provesFreshly } from './session/confirmation/proves-freshly.ts';
export { endClientSession, logout } from './session/logout.ts';
export {
  endSessions,
  openSession,
  publishSessions,
  voidBegunLogins,
  type OnSessionOpen,
  type TokenSet,
} from './session/open-and-end.ts';
export { isOnline, ping, readPresence } from './session/presence.ts';
export { refresh, refusalOfEnded, wasSeenSince } from './session/refresh/refresh.ts';
export { sessionCookie } from './session/session-cookie.ts';
export type { FeedListener } from './session/session-feed.ts';
export { cachedSessionOf, LOGOUT, PROVIDER_LOGOUT } from './session/session-source.ts';
export { roomForRevived } from './session/slots/find-slot.ts';
export {
  isExclusive,
  isSingleSession,
  knownTags,
  SLOTS_MAX,
  tagFact,
} from './session/slots/session-slots.ts';
export { asOwner, write, type Author, type WriteTransaction } from './session/write.ts';
export { accountSettings, type AccountSettings } from './settings/account-settings.ts';
export { consoleSettings, pagesSettings, passkeySettings } from './settings/browser-settings.ts';
export {
  idTokenSettings,
  issuingSettings,
  twoFactorSettings,
  verifyingSettings,
  type ServiceSettings,
} from './settings/key-settings.ts';
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
export { renewSso, type SsoRenewal } from './sso/sign-on.ts';
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
export {
  loginWithToken,
  RecoveryCodes,
  requestSecondFactor,
  SECOND_STEPS,
} from './two-factor/two-factor-login.ts';
