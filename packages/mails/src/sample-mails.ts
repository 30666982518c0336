import { noticeKinds, type MailContentOf, type MailKind, type NoticeKind } from '@gatehouse/events';

const recipient = { Email: 'ann@example.com', DisplayName: 'Ann', Locale: 'en' };
const source = {
  At: '2026-03-01T12:30:00.000Z',
  DeviceName: 'Firefox, Linux',
  IpAddress: '192.0.2.1',
};
const code = {
  ...recipient,
  ...source,
  Code: 'ABCD1234',
  CodeId: '019c0000-0000-7000-8000-000000000001',
  CodeExpiresAt: '2026-03-01T12:40:00.000Z',
};
const codeOfDay = { ...code, CodeExpiresAt: '2026-03-02T12:30:00.000Z' };
const notice = { ...recipient, ...source };
const access = {
  ...recipient,
  ContentName: 'Board meeting',
  ContentDefinitionId: '019c0000-0000-7000-8000-000000000002',
};

/** Sample content for each kind of mail, for previews and tests: its codes and links are not valid. */
export const sampleMails: { [K in MailKind]: MailContentOf<K> } = {
  // Its keys are exactly these.
  ...(Object.fromEntries(noticeKinds.map((kind) => [kind, notice])) as Record<NoticeKind, typeof notice>),
  'verification-code': codeOfDay,
  'password-reset': code,
  'login-code': code,
  'mailbox-code': code,
  // An administrator's request is not told.
  'account-invitation': {
    ...recipient,
    Code: code.Code,
    CodeId: code.CodeId,
    CodeExpiresAt: '2026-03-08T12:30:00.000Z',
  },
  'email-change-code': codeOfDay,
  'email-changed': {
    ...notice,
    TakeBack: { Code: 'A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Z', Until: '2026-03-08T12:30:00.000Z' },
  },
  'two-factor-code': code,
  'already-registered': notice,
  'address-taken': notice,
  'erasure-code': code,
  'erasure-scheduled': {
    ...notice,
    ErasesAt: '2026-03-15T12:30:00.000Z',
    RestoreCode: 'A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Z',
  },
  'account-erased': notice,
  invitation: {
    ...recipient,
    ContentName: 'Board meeting',
    InviterName: 'Bob Miller',
    InvitationToken: 'A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Z',
    InvitationExpiresAt: '2026-03-08T12:30:00.000Z',
    AccessExpiresAt: '2026-06-30T22:00:00.000Z',
  },
  'access-granted': access,
  'access-removed': access,
  'webhook-disabled': { ...recipient, At: source.At, WebhookName: 'Billing' },
  test: { ...recipient, At: source.At },
};
