import { startReset } from '@gatehouse/accounts';
import { mailOwner } from './mail-owner.ts';

export const resetPassword = mailOwner({
  path: '/admin/account/:id/reset-password',
  operationId: 'startPasswordReset',
  summary: 'Send a password reset code to the owner',
  description:
    'Same as a reset requested by the owner, but with a separate quota (`MAILS_PER_HOUR`, 429 beyond it). ' +
    'The current password remains valid until the reset; set `NewPasswordRequired` to prevent its use. ' +
    'Returns 409 if the account could not log in even with a new password.',
  mail: startReset,
  things: 'reset codes',
});
