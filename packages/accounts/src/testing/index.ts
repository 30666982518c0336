export {
  invitationTokenIn,
  logIn,
  newAccount,
  peopleOf,
  newContent,
  newToken,
  PASSWORD,
  someAddress,
  someEmail,
  type Person,
} from './people.ts';

export { readAudit, readTables, whileAuditFails, whileCommitsFail } from './audit.ts';
export { failuresFor, failuresOf, setFailures } from './throttle.ts';
export { authenticator, moveClock, switchOnTwoFactor } from './two-factor.ts';
export { openTestAccounts, codeIn, type TestAccounts } from './open-test-accounts.ts';
