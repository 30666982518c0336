export { accountFixtures, logIn, newAccount, newContent, newToken, type AccountRef } from './accounts.ts';
export { invitationTokenIn, someAddress, someEmail, unexpected } from './accounts.ts';

export { assertAudited, readAudit, readTables, type AuditedChange } from './audit.ts';
export { whileAuditFails, whileCommitsFail, whileTriggered } from './audit.ts';
export { atOnce, peopleOf, servicesOf, statusesOf } from './cast.ts';
export { mailCodeAsAdministrator } from './mail-code-as-administrator.ts';
export { newClient, REDIRECT_URI } from './clients.ts';
export { PASSWORD } from './shared-passwords.ts';
export { failuresFor, failuresOf, setFailures } from './throttle.ts';
export { authenticator, moveClock, switchOnTwoFactor } from './two-factor.ts';
export { sweepLapsedSessions } from '../session/lapsed-sessions.ts';
export { openTestAccounts, codeIn, TEST_PASSKEY_SITE, type TestAccounts } from './open-test-accounts.ts';
