export { accountFixtures, logIn, newAccount, newContent, newToken, type AccountRef } from './accounts.ts';
export {
  invitationTokenIn,
  mailCodeAsAdministrator,
  someAddress,
  someEmail,
  unexpected,
} from './accounts.ts';
export { addPasskey, BY_SYSTEM, failuresFor, failuresOf, setFailures } from './accounts.ts';
export { assertAudited, readAudit, readTables, type AuditedChange } from './audit.ts';
export { whileAuditFails, whileCommitsFail, whileTriggered } from './audit.ts';
export { atOnce, othersOf, peopleOf, servicesOf, statusesOf } from './cast.ts';
export { untilWaiting } from '@gatehouse/db/testing';
export { newClient, REDIRECT_URI } from './clients.ts';
export { PASSWORD } from './settings.ts';
export { authenticator, moveClock, switchOnTwoFactor } from './two-factor.ts';
export { sweepLapsedSessions } from '../session/lapsed-sessions.ts';
export { openTestAccounts, codeIn, TEST_PASSKEY_SITE, type TestAccounts } from './open-test-accounts.ts';
