import { inviteAccount as inviteOwner } from '@gatehouse/accounts';
import { mailOwner } from './mail-owner.ts';

export const inviteAccount = mailOwner({
  path: '/admin/account/:id/invite',
  operationId: 'inviteAccount',
  summary: 'Send the owner a link that completes the account',
  description:
    'For accounts that wait for their owner (`LoginStatus` 5 and 6). The link works for seven days and invalidates the ' +
    'previous one. At most `MAILS_PER_HOUR` such emails are sent to an account in an hour; beyond that the request ' +
    'fails with 429.',
  mail: inviteOwner,
  things: 'invitations',
});
