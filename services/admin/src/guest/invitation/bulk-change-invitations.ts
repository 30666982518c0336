import { BULK_MAX, bulkChangeInvitations as changeMany, UNPROVEN_MAX } from '@gatehouse/accounts';
import { confirmationRequired } from '@gatehouse/http';
import { NameOf, Type } from '@gatehouse/schema';
import { changeInBulk } from '../../bulk-order.ts';
import { route } from '../../deps.ts';
import { invitationFilters } from './invitation-filters.ts';

export const bulkChangeInvitations = route({
  method: 'post',
  path: '/admin/invitation/bulk',
  operationId: 'bulkChangeInvitations',
  tag: 'Invitations',
  summary: 'Delete or resend all matching pending invitations',
  description:
    'Deletes or resends all matching invitations, or none if one fails. With `resend`, invitations whose ' +
    'link could not be used, or whose address has reached its hourly quota, are skipped. Returns 409 if ' +
    `more than ${BULK_MAX.delete} match to delete, or ${BULK_MAX.resend} to resend.`,
  access: ['Admin'],
  recent: { when: `it applies to more than ${UNPROVEN_MAX} invitations` },
  body: Type.Object({
    Filter: invitationFilters.body,
    Change: NameOf(['delete', 'resend']),
    DryRun: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({
    Count: Type.Integer({ description: 'Invitations that were deleted or resent' }),
    Skipped: Type.Integer({ description: 'Matching invitations that were not changed' }),
  }),
  errors: ['conflict', 'confirmation_required'],
  handler: async ({ body, deps, refuse, ...asked }) => {
    const what = { filter: invitationFilters.ofBody(body.Filter), change: body.Change };
    const most = { max: BULK_MAX[body.Change], things: 'invitations' };
    const outcome = await changeInBulk({ ...asked, body, refuse }, most, (order) =>
      changeMany(deps, what, order),
    );
    if (outcome.kind === 'unproven') throw confirmationRequired(refuse);
    return { Count: outcome.count, Skipped: outcome.skipped };
  },
});
