import type { Input } from '../api/ask.ts';

type Action = NonNullable<NonNullable<Input<'GET /admin/audit'>['query']>['action']>;

/** Every action of docs/audit.md, by what it is about. */
const WORDS: Record<Action, true> = {
  'account.created': true,
  'account.registered': true,
  'account.contested': true,
  'account.verified': true,
  'account.changed': true,
  'account.imported': true,
  'account.unlocked': true,
  'account.reset-started': true,
  'account.two-factor-removed': true,
  'sso.linked': true,
  'sso.unlinked': true,
  'password.changed': true,
  'password.reset': true,
  'email.change-requested': true,
  'email.changed': true,
  'profile.changed': true,
  'two-factor.enabled': true,
  'two-factor.disabled': true,
  'two-factor.recovery-codes-renewed': true,
  'guest.registered': true,
  'user.invited': true,
  'user.removed': true,
  'session.ended': true,
  'session.handed-over': true,
  'user-session.changed': true,
  'invitation.deleted': true,
  'invitation.resent': true,
  'invitation.restored': true,
  'content.created': true,
  'content.changed': true,
  'content.deleted': true,
  'api-token.created': true,
  'api-token.revoked': true,
  'api-token.rotated': true,
  'mail.retried': true,
  'mail.test-sent': true,
  'person.created': true,
  'person.changed': true,
  'person.deleted': true,
  'face.reviewed': true,
};

export const ACTIONS = Object.keys(WORDS);
