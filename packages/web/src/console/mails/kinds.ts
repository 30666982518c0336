import type { Input } from '../api/ask.ts';

export type MailKind = NonNullable<Input<'GET /admin/mail-template/{kind}'>['path']>['kind'];

const WORDS: Record<MailKind, true> = {
  'verification-code': true,
  'password-reset': true,
  'already-registered': true,
  'password-changed': true,
  'refresh-token-reused': true,
  'two-factor-code': true,
  'two-factor-enabled': true,
  'two-factor-disabled': true,
  'recovery-code-used': true,
  'recovery-codes-renewed': true,
  'passkey-added': true,
  'passkey-removed': true,
  'passkey-cloned': true,
  'identity-linked': true,
  'identity-unlinked': true,
  'email-change-code': true,
  'email-change-notice': true,
  'email-changed': true,
  'address-taken': true,
  'new-device': true,
  'erasure-code': true,
  'erasure-scheduled': true,
  'account-erased': true,
  invitation: true,
  'access-granted': true,
  'access-removed': true,
  test: true,
};

/** Every kind of mail. */
export const MAIL_KINDS = Object.keys(WORDS) as MailKind[]; // as they stand above
