export * as accountAdmin from './account/account-admin.ts';
export type { AccountChange, ManagedAccount } from './account/account-admin.ts';
export * as accountCodes from './account/account-codes.ts';
export type { ActiveCode, CodePurpose } from './account/account-codes.ts';
export { searchedOf, type AccountFilter } from './account/account-search.ts';
export * as accountGroups from './account/account-groups.ts';
export * as accountSearch from './account/account-search.ts';
export * as accounts from './account/accounts.ts';
export { disabledNow, type Account, type AccountWithHash, type ToldBan } from './account/accounts.ts';
export * as administrators from './account/administrators.ts';
export * as emailChanges from './account/email-changes.ts';
export * as audit from './audit/audit.ts';
export type { Actor, AuditAction, AuditEntry, AuditTargetKind } from './audit/audit.ts';
export * as loginCodes from './email-login/login-codes.ts';
export * as accountExport from './erasure/account-export.ts';
export type { AccountExport } from './erasure/account-export.ts';
export * as erasures from './erasure/erasures.ts';
export { deleteExpired } from './expired-rows.ts';
export * as contentAccess from './guest/content-access.ts';
export { notEnded, type EndedAccess } from './guest/content-access.ts';
export * as contentDefinitions from './guest/content-definitions.ts';
export type { ContentDefinition, ContentKind } from './guest/content-definitions.ts';
export * as contentMembers from './guest/content-members.ts';
export * as guestAccounts from './guest/guest-accounts.ts';
export type { KeyedAccount } from './guest/guest-accounts.ts';
export * as invitations from './guest/invitations.ts';
export type { DeletedInvitation } from './guest/invitations.ts';
export * as sessionCodes from './handover/session-codes.ts';
export type { SessionCode } from './handover/session-codes.ts';
export * as accountImport from './import/account-import.ts';
export type { ImportedAccount } from './import/account-import.ts';
export * as begunLogins from './login/begun-logins.ts';
export * as loginThrottle from './login/login-throttle.ts';
export * as mailRequests from './login/mail-requests.ts';
export type { LeasedMailRequest, MailRequestPurpose, MailRequestTable } from './login/mail-requests.ts';
export { throttledSubjectOf, throttleKeyText, type ThrottleKey } from './login/login-throttle.ts';
export * as mailDeliveries from './mail/mail-deliveries.ts';
export type { DueMail } from './mail/mail-deliveries.ts';
export * as mailQuota from './mail/mail-quota.ts';
export * as mailSecrets from './mail/mail-secrets.ts';
export * as clientDocuments from './oauth/client-documents.ts';
export type { ClientDocument } from './oauth/client-documents.ts';
export * as clientSessions from './oauth/client-sessions.ts';
export type { ClientRefreshState, ClientSession, RotatedClientSession } from './oauth/client-sessions.ts';
export * as oauthClients from './oauth/clients.ts';
export type { OAuthClient, OAuthClientFields, OAuthClientWithSecrets } from './oauth/clients.ts';
export { deliveryTable } from './outbox/delivery-table.ts';
export * as outbox from './outbox/outbox.ts';
export type { Backlog } from './outbox/outbox.ts';
export { startRelay, type Relay } from './outbox/relay.ts';
export { createWorkWatch, NEEDS_LOGOUT_TOKEN, type WorkWatch } from './outbox/work-watch.ts';
export * as passkeys from './passkey/passkeys.ts';
export type { CheckedPasskey } from './passkey/passkeys.ts';
export * as webauthnChallenges from './passkey/webauthn-challenges.ts';
export type { ChallengePurpose } from './passkey/webauthn-challenges.ts';
export {
  connectDb,
  inTransaction,
  query,
  measurePool,
  openDb,
  type Binding,
  type Db,
  type Executor,
  type Transaction,
} from './postgres/connect.ts';
export { isDuplicate } from './postgres/faults.ts';
export { ID_SLACK_MS, LAST_ID, lowestIdAt } from './postgres/ids.ts';
export { databaseSettings } from './postgres/server/postgres-url.ts';
export { statement, txStatement } from './postgres/statements.ts';
export { resumeTrace } from './postgres/statement/traced-statements.ts';
export { afterCommit } from './postgres/transaction/commit.ts';
export {
  ensureLogins,
  loginOf,
  revokeServerFunctions,
  SERVICES,
  type ApiName,
  type ServiceName,
} from './schema/grants.ts';
export { migrateCommand } from './schema/migrate-command.ts';
export { createSchemaCheck, findMigrations, findServerVersion } from './schema/migrate.ts';
export {
  conditionsOf,
  contains,
  inIndex,
  ordered,
  searchKey,
  sieve,
  since,
  until,
  type Filters,
  type FilterSql,
} from './search/filters.ts';
export {
  boundedCount,
  countRows,
  defineList,
  type CountableRows,
  type List,
  type Listing,
} from './search/list.ts';
export {
  BY_MAIL_CODE,
  BY_PASSWORD,
  type Authentication,
  type AuthenticationMethod,
  type FirstFactor,
} from './session/authentication.ts';
export * as sessionConfirmations from './session/session-confirmations.ts';
export type { ConfirmationPurpose } from './session/session-confirmations.ts';
export * as sessionEvents from './session/session-events.ts';
export type { EventPosition, FreshRange, SessionChange } from './session/session-events.ts';
export * as sessionRefresh from './session/session-refresh.ts';
export type { RefreshState, Rotated } from './session/session-refresh.ts';
export * as sessionSlots from './session/session-slots.ts';
export type { HeldSlot } from './session/session-slots.ts';
export * as sessionTakeOvers from './session/session-take-overs.ts';
export * as sessionsOfOwner from './session/sessions-of-owner.ts';
export * as userSessions from './session/user-sessions.ts';
export type { SessionState } from './session/user-sessions.ts';
export * as signIns from './sign-in/sign-ins.ts';
export type { NewSignIn } from './sign-in/sign-ins.ts';
export * as identityLinks from './sso/identity-links.ts';
export * as signOnCodes from './sso/sign-on-codes.ts';
export type { SignOnPurpose, StoredSignOn } from './sso/sign-on-codes.ts';
export * as ssoAttempts from './sso/sso-attempts.ts';
export * as ssoIdentities from './sso/sso-identities.ts';
export type { Identity, UnlinkedIdentity } from './sso/sso-identities.ts';
export * as activity from './statistics/activity.ts';
export { createActivityCounter, type ActivityCounter, type ActivityKind } from './statistics/activity.ts';
export * as apiTokens from './token/api-tokens.ts';
export * as recoveryCodes from './two-factor/recovery-codes.ts';
export * as twoFactorChallenges from './two-factor/two-factor-challenges.ts';
export * as twoFactor from './two-factor/two-factor.ts';
export * as hookDeliveries from './webhook/hook-deliveries.ts';
export { HOOK_ERRORS, type DueEvent, type DueHook, type HookError } from './webhook/hook-deliveries.ts';
