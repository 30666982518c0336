import { actorOf, BULK_MAX, bulkChangeInvitations as changeMany, UNPROVEN_MAX } from '@gatehouse/accounts';
import { confirmationRequired } from '@gatehouse/http';
import { Email, NameOf, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { keyOfEmail } from '../../key-of-email.ts';

const Filter = Type.Object(
  {
    Id: Type.Optional(Uuid()),
    ContentDefinitionId: Type.Optional(Uuid()),
    Email: Type.Optional(Email()),
    InvitedBy: Type.Optional(Uuid()),
    IsExpired: Type.Optional(Type.Boolean()),
  },
  {
    title: 'InvitationFilter',
    minProperties: 1,
    description: 'The same filters as for listing invitations; at least one is required',
  },
);

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
    Filter,
    Change: NameOf(['delete', 'resend']),
    DryRun: Type.Optional(Type.Boolean()),
  }),
  response: Type.Object({
    Count: Type.Integer({ description: 'Invitations that were deleted or resent' }),
    Skipped: Type.Integer({ description: 'Matching invitations that were not changed' }),
  }),
  errors: ['conflict', 'confirmation_required'],
  handler: async ({ body, caller, deps, request, isConfirmed, refuse }) => {
    const { Id, ContentDefinitionId, Email: email, InvitedBy, IsExpired } = body.Filter;
    const filter = {
      id: Id,
      contentDefinitionId: ContentDefinitionId,
      emailKey: keyOfEmail(email),
      invitedBy: InvitedBy,
      isExpired: IsExpired,
    };
    const isTrial = body.DryRun === true;
    const isUnproven = !(await isConfirmed());
    const bulk = { filter, change: body.Change, isTrial, isUnproven, actor: actorOf(caller) };
    const changed = await changeMany(deps, bulk, request);
    switch (changed.kind) {
      case 'too_many':
        throw refuse('conflict', `More than ${BULK_MAX[body.Change]} invitations match; nothing was changed`);
      case 'unproven':
        throw confirmationRequired(refuse);
      case 'changed':
        request.addToLog({ changed: isTrial ? 0 : changed.count });
        return { Count: changed.count, Skipped: changed.skipped };
    }
  },
});
