import type { EntryExamples } from './million-entries.ts';
import type { OtherExamples } from './million-others.ts';
import type { Examples } from './million-sessions.ts';

/** The measured lists: their paths, and the field by which their pages continue. */
export const LISTS = {
  'user-session': { path: '/admin/user-session', key: 'UserSessionId' },
  account: { path: '/admin/account', key: 'AccountId' },
  audit: { path: '/admin/audit', key: 'AuditId' },
  mail: { path: '/admin/mail', key: 'MailId' },
  invitation: { path: '/admin/invitation', key: 'InvitationId' },
  content: { path: '/admin/content-definition', key: 'ContentDefinitionId' },
  token: { path: '/admin/api-token', key: 'ApiTokenId' },
  erasure: { path: '/admin/erasure', key: 'ErasureId' },
  person: { path: '/person', key: 'PersonId' },
} as const;
export type List = keyof typeof LISTS;

/** The filters that are measured for each list. */
export function filtersOf(list: List, examples: Examples & EntryExamples & OtherExamples): string[] {
  switch (list) {
    case 'user-session':
      return sessionFilters(examples);
    case 'account':
      return accountFilters(examples);
    case 'audit':
      return auditFilters(examples);
    case 'mail':
      return mailFilters(examples);
    case 'invitation':
      return invitationFilters(examples);
    case 'content':
      return contentFilters(examples);
    case 'token':
      return ['', 'count=true', `createdBy=${examples.administratorId}&count=true`, `createdBy=${NOBODY}`];
    case 'erasure':
      return ['', 'state=Pending', 'state=Erased', 'state=Restored', `userId=${NOBODY}`];
    case 'person':
      return ['', 'count=true', ...SEARCHES];
  }
}

const NOBODY = '00000000-0000-7000-8000-000000000000';
const SEARCHES = [
  'search=quagga&count=true',
  'search=nobody&count=true',
  'search=1&count=true',
  'search=pe',
  'search=zq',
];

function invitationFilters({ contentDefinitionId, administratorId }: Examples & OtherExamples): string[] {
  return [
    '',
    'count=true',
    'email=person7@example.com&count=true',
    'email=nobody@example.com&count=true',
    'isExpired=true&count=true',
    'isExpired=false&count=true',
    `contentDefinitionId=${contentDefinitionId}&count=true`,
    `contentDefinitionId=${contentDefinitionId}&isExpired=false`,
    `invitedBy=${administratorId}&count=true`,
    `invitedBy=${NOBODY}&count=true`,
  ];
}

function contentFilters({ administratorId }: OtherExamples): string[] {
  return [
    '',
    'members=true',
    'count=true',
    ...SEARCHES,
    'kind=Document&count=true',
    'kind=LiveChannel&count=true',
    `ownerId=${administratorId}&count=true`,
    `ownerId=${NOBODY}&count=true`,
  ];
}

function auditFilters({ targetId, traceId, hour }: EntryExamples): string[] {
  const [from, to] = [hour.from.toISOString(), hour.to.toISOString()];
  return [
    '',
    'count=true',
    'names=true&count=true',
    'action=account.registered&count=true',
    'action=mail.retried&count=true',
    'actorKind=System&count=true',
    `targetId=${targetId}&count=true`,
    `traceId=${traceId}&count=true`,
    'ipAddress=10.0.0.7&count=true',
    `from=${from}&to=${to}&count=true`,
    `action=account.registered&from=${from}&to=${to}`,
    'actorKind=System&action=content.changed',
    'actorKind=ApiToken&action=account.registered',
  ];
}

function mailFilters({ traceId, hour }: EntryExamples): string[] {
  const [from, to] = [hour.from.toISOString(), hour.to.toISOString()];
  return [
    '',
    'count=true',
    'status=Parked&count=true',
    'status=Retrying&count=true',
    'email=person7@example.com&count=true',
    `traceId=${traceId}&count=true`,
    `finishedFrom=${from}&finishedTo=${to}&count=true`,
    `status=Parked&finishedFrom=${from}&finishedTo=${to}&count=true`,
    'finishedTo=2019-01-01T00:00:00Z',
  ];
}

function sessionFilters({ sessionId, userId, contentDefinitionId, sessionsBetween }: Examples): string[] {
  const [from, to] = [sessionsBetween.from.toISOString(), sessionsBetween.to.toISOString()];
  return [
    '',
    'count=true',
    'status=Normal',
    'status=SessionReplaced&count=true',
    'status=Deactivated',
    `userId=${userId}`,
    `contentDefinitionId=${contentDefinitionId}`,
    `contentDefinitionId=${contentDefinitionId}&status=ChatDisabled`,
    'search=quagga',
    'search=person1234&count=true',
    'search=nobody&count=true',
    'search=example.com',
    'search=pe',
    'search=zq',
    `search=${sessionId}`,
    'isOnline=true',
    'isOnline=false',
    'isOnline=false&status=Normal',
    'isOnline=true&search=quagga',
    `isOnline=true&contentDefinitionId=${contentDefinitionId}`,
    'ipAddress=198.51.100.7&count=true',
    'ipAddress=198.51.100.0/24&count=true',
    'ipAddress=10.0.0.0/8',
    'ssoProvider=nobody',
    'deviceName=Phone&count=true',
    'deviceName=Nobody',
    `createdFrom=${from}&createdTo=${to}&count=true`,
    `createdTo=${from}`,
    `endedFrom=${from}&endedTo=${to}&count=true`,
    `status=Expired&endedFrom=${from}&endedTo=${to}`,
    'endedTo=2019-01-01T00:00:00Z',
    'endReason=replaced&count=true',
    'endReason=refresh_token_reused&count=true',
    'endReason=two_factor_removed&count=true',
    'endReason=refresh_token_reused,role_changed&count=true',
    `status=Expired&endReason=logout&endedFrom=${from}&endedTo=${to}&count=true`,
    `endReason=administrator,access_revoked&endedFrom=${from}&endedTo=${to}&count=true`,
    `lastSeenBefore=${from}&status=Normal&count=true`,
    'lastSeenBefore=2019-01-01T00:00:00Z',
  ];
}

function accountFilters({ userId, accountsBetween }: Examples): string[] {
  const [from, to] = [accountsBetween.from.toISOString(), accountsBetween.to.toISOString()];
  return [
    '',
    'count=true',
    'role=Guest&count=true',
    'role=Admin',
    'loginStatus=IsDisabled&count=true',
    'loginStatus=TwoFactorCodeRequired',
    'search=quagga&count=true',
    'search=person1234',
    'search=nobody&count=true',
    'search=example.com&count=true',
    'search=pe',
    'search=zq',
    `search=${userId}&count=true`,
    'hasTwoFactor=true&count=true',
    'hasTwoFactor=false&count=true',
    'hasTwoFactor=true&search=quagga',
    `createdFrom=${from}&createdTo=${to}&count=true`,
    `createdTo=${from}`,
    'lastLoginBefore=2021-01-01T00:00:00Z&count=true',
    'lastLoginBefore=2020-01-02T00:00:00Z',
    'isThrottled=true&count=true',
    'isThrottled=false',
  ];
}

/** Dry runs of bulk changes of five thousand items. */
export function bulksOf({ sessionsBetween, accountsBetween }: Examples) {
  return [
    {
      name: 'dry run: end sessions',
      path: '/admin/user-session',
      body: {
        Filter: { CreatedFrom: sessionsBetween.from, CreatedTo: sessionsBetween.to },
        Status: 4,
        DryRun: true,
      },
    },
    {
      name: 'dry run: disable accounts',
      path: '/admin/account/bulk',
      body: {
        Filter: { CreatedFrom: accountsBetween.from, CreatedTo: accountsBetween.to },
        Change: { IsDisabled: true },
        DryRun: true,
      },
    },
  ];
}
