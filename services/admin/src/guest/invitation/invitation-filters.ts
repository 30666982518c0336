import { Type, Uuid } from '@gatehouse/schema';
import { by, defineFilters, email } from '@gatehouse/kit';

/** The filters of pending invitations, for lists and bulk changes. */
export const invitationFilters = defineFilters(
  {
    id: by(Uuid()),
    contentDefinitionId: by(Uuid()),
    email: email(),
    invitedBy: by(Uuid()),
    isExpired: by(Type.Boolean(), 'Whether the link has expired'),
  },
  {
    title: 'InvitationFilter',
    description: 'The same filters as for listing invitations; at least one is required',
  },
);
