/** Functions that write without a transaction, and so without a deadline, by the reason why they need none. */
export const PLAIN_WRITES: Readonly<Record<string, readonly string[]>> = {
  'Failures count before a secret is checked': [
    'login-throttle.raise',
    'login-throttle.settleFailure',
    'login-throttle.settlePartialSuccess',
  ],
  'The right secret is known': [
    'account-codes.giveTriesBack',
    'login-throttle.clear',
    'login-throttle.takeBack',
  ],
  'An attempt counts before it is compared': [
    'account-codes.takeTries',
    'login-codes.takeTry',
    'two-factor-challenges.takeTry',
  ],
  'After requests: what was used, and how often': [
    'activity.add',
    'api-tokens.saveUses',
    'user-sessions.saveLastSeen',
    'sign-ins.insert',
  ],
  'After requests: carries out what was committed': [
    'outbox.lease',
    'outbox.remove',
    'outbox.markPublished',
    'outbox.release',
    'user-sessions.removeUncached',
    'mail-requests.lease',
  ],
  'In the background: deletes old rows': [
    'expired-rows.deleteExpired',
    'client-sessions.deleteOver',
    'activity.deleteOld',
    'login-throttle.deleteOld',
    'mail-quota.deleteOld',
    'webhook.deleteFormerSecrets',
  ],
  'In the background, in a transaction of its own': [
    'purge.purgeFaces',
    'webhook.reportDisabledWebhooks',
    'change.endBans',
  ],
  'The mail worker answers no requests': [
    'mail-deliveries.record',
    'mail-deliveries.claimDue',
    'mail-deliveries.markSent',
    'delivery-table.resultsOf',
    'mail-deliveries.makeDueByError',
    'delivery-table.upkeepOf',
  ],
  'The hook worker answers no requests': [
    'hook-deliveries.record',
    'hook-deliveries.claimDue',
    'hook-deliveries.markSent',
    'hook-deliveries.markFailed',
    'hook-deliveries.disable',
    'hook-deliveries.deleteLateLogouts',
  ],
  'An operator’s command': ['migrate.apply', 'migrate-command.keepAuditFor'],
};

/** Files with a deadline that is not that of a request, or none, with the reason. */
export const OTHER_DEADLINES: Readonly<Record<string, string>> = {
  'packages/accounts/src/checks/credentials.ts': 'After a failure was counted, or after the answer',
  'packages/accounts/src/account/admin/create-account.ts':
    'An operator’s command; otherwise that of the request',
  'packages/accounts/src/session/write.ts': 'A service’s own work; otherwise that of the request',
  'packages/db/src/webhook/hook-deliveries.ts': 'The hook worker answers no requests',
  'packages/accounts/src/guest/access.ts': 'In the background: ends access, deletes expired guests',
  'packages/db/src/schema/grants.ts': 'An operator’s command',
  'packages/accounts/src/session/lapsed-sessions.ts':
    'Whichever request finds an expired session; ten seconds',
  'services/core/src/person/purge.ts': 'In the background; ten seconds',
  'services/core/src/person/report/take-reports.ts': 'The queue delivers again what was not done in time',
  'services/admin/src/erasure/erase-due.ts':
    'In the background: ten seconds, or those that a part of a large account takes',
  'packages/accounts/src/erasure/erasure.ts': 'An operator’s command',
  'services/admin/src/erasure/retention.ts': 'In the background; ten seconds each',
  'packages/accounts/src/mail/mail-requests.ts': 'In the background: mails the requested code',
};
