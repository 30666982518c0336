import assert from 'node:assert/strict';
import { sourcesIn } from '../documents/documents.ts';

const WRITES = /\b(insert\s+into|delete\s+from|update\s+(?:\w+|\$\{\w+\})(\s+as)?(\s+(?!set)\w+)?\s+set)\b/;
const FOLDERS = [
  ...['accounts', 'db', 'events', 'http', 'auth-core'].map((name) => `packages/${name}`),
  ...['core', 'portal', 'admin', 'mail-worker', 'tools'].map((name) => `services/${name}`),
];
const OTHER_DEADLINE = /(?<!const )\bNO_DEADLINE\b|\bwithinSeconds\(|\bdueAt: Infinity\b/;

/** Functions that write without a transaction, and so without a deadline, by the reason why they need none. */
const PLAIN_WRITES: Readonly<Record<string, readonly string[]>> = {
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
const OTHER_DEADLINES: Readonly<Record<string, string>> = {
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

describe('the deadlines of writes', () => {
  const sources = FOLDERS.flatMap((folder) => sourcesIn(`${folder}/src`));

  it('have every function that writes without a transaction in the list above, and no other', () => {
    const found = sources.flatMap(({ path, text }) => {
      const file = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length);
      return plainWriters(text).map((name) => `${file}.${name}`);
    });
    assert.deepEqual(found.toSorted(), Object.values(PLAIN_WRITES).flat().toSorted());
  });

  it('have every file there that has another deadline than a request, or none', () => {
    const found = sources.filter(({ text }) => OTHER_DEADLINE.test(withoutImports(text)));
    assert.deepEqual(pathsOf(found), Object.keys(OTHER_DEADLINES).toSorted());
  });

  it('cannot be bypassed: only packages/db and endpoints have writing statements, and only inTransaction begins transactions', () => {
    const elsewhere = sources.filter(({ path }) => !/^(packages\/db|services)\//.test(path));
    assert.deepEqual(pathsOf(elsewhere.filter(({ text }) => WRITES.test(text))), []);
    const beginners = pathsOf(sources.filter(({ text }) => /(?<!String)\.(transaction|raw)\(/.test(text)));
    assert.deepEqual(beginners, BEGINNERS);
  });
});

/** Files that begin transactions, or write migrations and privileges, for which no request waits. */
const BEGINNERS = [
  'packages/db/src/postgres/connect.ts',
  'packages/db/src/schema/grants.ts',
  'packages/db/src/schema/migrate.ts',
];

/** The functions in a file that write but whose first parameter is not a transaction. */
function plainWriters(text: string): string[] {
  const declarations = text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).map((declared) => ({
    name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(declared)?.[1] ?? '',
    isFunction: /^(?:export )?(?:(?:async )?function |const \w+ =[^`]*?\b(?:tx)?[sS]tatement\.)/.test(
      declared,
    ),
    takesTransaction: /^[^(]*\(\s*tx: (?:Write)?Transaction\b|^(?:export )?const [^`]*\btxStatement\./.test(
      declared,
    ),
    text: declared.replaceAll(/^[ \t]*(\/?\*|\/\/).*$/gm, ''),
  }));
  const constants = new Set<string>();
  const writes = (declared: string): boolean =>
    WRITES.test(declared) || [...constants].some((name) => new RegExp(`\\b${name}\\b`).test(declared));
  for (const { name, isFunction, text: declared } of declarations) {
    if (!isFunction && writes(declared)) constants.add(name);
  }
  return declarations
    .filter((one) => one.isFunction && !one.takesTransaction && writes(one.text))
    .map(({ name }) => name);
}

function withoutImports(text: string): string {
  return text.replaceAll(/^import [^;]*;$/gm, '');
}

function pathsOf(sources: { path: string }[]): string[] {
  return sources.map(({ path }) => path).toSorted();
}
