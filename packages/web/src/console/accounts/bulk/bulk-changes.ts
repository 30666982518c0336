import type { Input } from '../../api/call-api.ts';
import { momentOf } from '../../ui/moment.ts';

export type Change = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Change'];

/** What can be made of many accounts at once; `accounts.bulk.<name>` are its words. */
export const BULK_CHANGES = [
  'disable',
  'enable',
  'require2fa',
  'release2fa',
  'newPassword',
  'expire',
  'neverExpire',
  'reset',
] as const;

export type BulkName = (typeof BULK_CHANGES)[number];

/** The change as the API takes it; none for mails, which are sent one by one. */
export function changeOf(name: Exclude<BulkName, 'reset'>, expiresAt: string): Change {
  switch (name) {
    case 'disable':
      return { IsDisabled: true };
    case 'enable':
      return { IsDisabled: false };
    case 'require2fa':
      return { TwoFactorRequired: true };
    case 'release2fa':
      return { TwoFactorRequired: false };
    case 'newPassword':
      return { NewPasswordRequired: true };
    case 'expire':
      return { ExpiresAt: momentOf(expiresAt) ?? '' };
    case 'neverExpire':
      return { ExpiresAt: null };
  }
}
