export * as accountAdmin from './account/account-admin.ts';
export type { AccountChange, ManagedAccount } from './account/account-admin.ts';
export * as accountCodes from './account/account-codes.ts';
export * as accountImport from './account/account-import.ts';
export type { ImportedAccount } from './account/account-import.ts';
export * as accountSearch from './account/account-search.ts';
export * as accounts from './account/accounts.ts';
export type { Account, AccountWithHash } from './account/accounts.ts';
export type { CodePurpose, LivingCode } from './account/account-codes.ts';
export type { MailRequest, MailRequestPurpose } from './login/mail-requests.ts';
export * as administrators from './account/administrators.ts';
export * as apiTokens from './account/api-tokens.ts';
export type { ApiToken } from './account/api-tokens.ts';
export * as audit from './audit.ts';
export type { Actor, AuditAction, AuditEntry, AuditRecord } from './audit.ts';
export * as contentAccess from './content/content-access.ts';
export * as contentDefinitions from './content/content-definitions.ts';
export type { ContentDefinition, ContentKind } from './content/content-definitions.ts';
export * as channelMembers from './content/channel-members.ts';
export type { ChannelMember } from './content/channel-members.ts';
export {
  connectDb,
  inTransaction,
  query,
  type Db,
  type Executor,
  type Transaction,
} from './postgres/connect.ts';
export { applyGrants, ensureLogins, loginOf, SERVICES, type ServiceName } from './schema/grants.ts';
export type { EndedAccess } from './content/content-access.ts';
export * as deletedInvitations from './invitation/deleted-invitations.ts';
export type { DeletedInvitation } from './invitation/deleted-invitations.ts';
export * as faces from './person/faces.ts';
export type { Face, FaceMatch, ReportedFace } from './person/faces.ts';
export * as guestAccounts from './account/guest-accounts.ts';
export type { KeyedAccount } from './account/guest-accounts.ts';
export * as invitations from './invitation/invitations.ts';
export * as invitationAdmin from './invitation/invitation-admin.ts';
export type { PendingInvitation } from './invitation/invitation-admin.ts';
export * as inviterQuota from './invitation/inviter-quota.ts';
export * as sessionCacheOutbox from './session/session-cache-outbox.ts';
export * as loginThrottle from './login/login-throttle.ts';
export * as mailAdmin from './mail/mail-admin.ts';
export type { MailRecord } from './mail/mail-admin.ts';
export * as mailDeliveries from './mail/mail-deliveries.ts';
export type { Delivery, DeliveryStatus } from './mail/mail-deliveries.ts';
export * as mailSecrets from './mail/mail-secrets.ts';
export * as mailQuota from './mail/mail-quota.ts';
export { migrate } from './schema/migrate.ts';
export { migrateCommand } from './schema/migrate-command.ts';
export * as outbox from './outbox/outbox.ts';
export type { Backlog } from './outbox/outbox.ts';
export * as ownSessions from './session/own-sessions.ts';
export * as passwordProofs from './account/password-proofs.ts';
export * as personPurges from './person/person-purges.ts';
export * as persons from './person/persons.ts';
export type { Person } from './person/persons.ts';
export * as profiles from './account/profiles.ts';
export type { Profile } from './account/profiles.ts';
export * as recoveryCodes from './login/recovery-codes.ts';
export { startRelay, type Relay } from './outbox/relay.ts';
export * as sessionAdmin from './session/session-admin.ts';
export type { SessionConditions, SessionRecord } from './session/session-admin.ts';
export * as sessionEvents from './session/session-events.ts';
export * as sessionRefresh from './session/session-refresh.ts';
export type { RefreshState, Rotated } from './session/session-refresh.ts';
export * as lastSeen from './session/last-seen.ts';
export * as sessionStatus from './session/session-status.ts';
export type { HeldSession } from './session/session-status.ts';
export * as mailRequests from './login/mail-requests.ts';
export * as ssoAttempts from './sso/sso-attempts.ts';
export * as ssoIdentities from './sso/sso-identities.ts';
export type { Identity } from './sso/sso-identities.ts';
export { throttleKeyText, type ThrottleKey } from './login/throttle-key.ts';
export * as twoFactor from './login/two-factor.ts';
export * as twoFactorChallenges from './login/two-factor-challenges.ts';
export * as userSessions from './session/user-sessions.ts';
export type { SessionState } from './session/user-sessions.ts';
export { createSchemaCheck } from './schema/schema-check.ts';
