export type { Throttled } from './attempts.ts';
export { checkCode } from './code-check.ts';
export { checkPassword, describePasswordFault, renewHash } from './credentials.ts';
export type { AccountsDeps, AccountSettings, Origin } from './deps.ts';
export { conditionOf, type AccountCondition } from './login-status.ts';
export { mailCode, mailNotice } from './mailing.ts';
export { openAccounts, type ServiceSettings } from './open.ts';
export { refresh } from './refresh.ts';
export { endSessions, logout, openSession, ping, publishSessions, type TokenSet } from './sessions.ts';
