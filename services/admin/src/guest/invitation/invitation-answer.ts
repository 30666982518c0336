import type { PendingInvitation } from '@gatehouse/db';
import { Enum, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** A pending invitation in Admin's responses, without its link. */
export const InvitationAnswer = Type.Object(
  {
    Id: Uuid(),
    Email: Type.String(),
    UserId: Uuid(),
    ContentDefinitionId: Uuid(),
    ContentName: Type.String(),
    InvitedBy: Nullable(Uuid(), { description: 'null if sent with a static API token' }),
    InvitedAt: Timestamp(),
    ExpiresAt: Timestamp(),
    AccessExpiresAt: Nullable(Timestamp(), { description: 'When the access ends; null means never' }),
    MailStatus: Nullable(Enum(['Pending', 'Sent', 'Retrying', 'Parked']), {
      description: 'null if no email was sent or its record has been deleted',
    }),
  },
  { title: 'Invitation' },
);

/** The parameters of the path. */
export const InvitationPath = Type.Object({ id: Uuid() });

export function invitationAnswer(invitation: PendingInvitation) {
  return {
    Id: invitation.id,
    Email: invitation.email,
    UserId: invitation.accountId,
    ContentDefinitionId: invitation.contentDefinitionId,
    ContentName: invitation.contentName,
    InvitedBy: invitation.invitedBy,
    InvitedAt: invitation.invitedAt.toISOString(),
    ExpiresAt: invitation.expiresAt.toISOString(),
    AccessExpiresAt: invitation.accessExpiresAt?.toISOString() ?? null,
    MailStatus: invitation.mailStatus,
  };
}
