import type { FieldValues } from '../../../ui/form/form.tsx';
import { banOf } from '../../account/actions.tsx';
import type { Input } from '../../api/call-api.ts';
import { momentOf } from '../../ui/moment.ts';

export type Change = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Change'];

/** The changes that can be made to many accounts at once; their texts are `accounts.bulk.<name>`. */
export const BULK_CHANGES = [
  'disable',
  'enable',
  'require2fa',
  'release2fa',
  'newPassword',
  'expire',
  'neverExpire',
  'reset',
  'invite',
] as const;

export type BulkName = (typeof BULK_CHANGES)[number];

/** The `Change` of the API request. Mails are no change: reset codes are requested one by one, invitations at once. */
export function changeOf(name: Exclude<BulkName, 'reset' | 'invite'>, typed: FieldValues): Change {
  switch (name) {
    case 'disable':
      return banOf(typed);
    case 'enable':
      return { IsDisabled: false };
    case 'require2fa':
      return { TwoFactorRequired: true };
    case 'release2fa':
      return { TwoFactorRequired: false };
    case 'newPassword':
      return { NewPasswordRequired: true };
    case 'expire':
      return { ExpiresAt: momentOf(typed['ExpiresAt']) ?? '' };
    case 'neverExpire':
      return { ExpiresAt: null };
  }
}
