import type { ChangedInvitation, SeenSession } from '@gatehouse/accounts';
import { Integers, Nullable, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';

const Unknown = Nullable(Type.String(), { description: 'null if unknown' });

/** A session in Admin's responses; an invitation has the same fields. */
export const SessionAnswer = Type.Object(
  {
    Id: Uuid(),
    UserId: Uuid(),
    Email: Type.String(),
    DisplayName: Unknown,
    IsGuest: Type.Boolean(),
    Status: Integers(SessionStatus, 'SessionStatus'),
    IsOnline: Type.Boolean({ description: 'Whether the session was pinged within ONLINE_WINDOW_SECONDS' }),
    Tag: Nullable(Type.String(), { description: 'The kind of device that the login named; null if none' }),
    DeviceName: Unknown,
    UserAgent: Unknown,
    IpAddress: Unknown,
    SsoProvider: Nullable(Type.String(), { description: 'null for a password login' }),
    CreatedAt: Timestamp(),
    LastSeenAt: Nullable(Timestamp(), { description: 'Last ping, refresh or login; null for an invitation' }),
    ExpiresAt: Type.String({
      format: 'date-time',
      description: 'The end of its absolute lifetime; for an invitation, the expiry of its link',
    }),
    EndedAt: Nullable(Timestamp(), { description: 'null while active' }),
    ContentDefinitionId: Nullable(Uuid(), {
      description: 'The content being watched or last watched; for an invitation, the shared content',
    }),
  },
  { title: 'Session' },
);

/** The parameters of the path. */
export const SessionPath = Type.Object({ id: Uuid() });

export function sessionAnswer(session: SeenSession) {
  return {
    Id: session.id,
    UserId: session.accountId,
    Email: session.email,
    DisplayName: session.displayName,
    IsGuest: session.isGuest,
    // The table's check constraint allows only these numbers.
    Status: session.status as SessionStatus,
    IsOnline: session.isOnline,
    Tag: session.tag === '' ? null : session.tag,
    DeviceName: session.deviceName,
    UserAgent: session.userAgent,
    IpAddress: session.ipAddress,
    SsoProvider: session.ssoProvider,
    CreatedAt: session.createdAt.toISOString(),
    LastSeenAt: session.lastSeenAt.toISOString(),
    ExpiresAt: session.expiresAt.toISOString(),
    EndedAt: session.endedAt?.toISOString() ?? null,
    ContentDefinitionId: session.contentDefinitionId,
  };
}

/** A changed invitation in the list of changed sessions. */
export function invitationItem(invitation: ChangedInvitation) {
  return {
    Id: invitation.id,
    UserId: invitation.accountId,
    Email: invitation.email,
    DisplayName: null,
    IsGuest: true,
    Status: invitation.status,
    IsOnline: false,
    Tag: null,
    DeviceName: null,
    UserAgent: null,
    IpAddress: null,
    SsoProvider: null,
    CreatedAt: invitation.invitedAt.toISOString(),
    LastSeenAt: null,
    ExpiresAt: invitation.expiresAt.toISOString(),
    EndedAt: invitation.deletedAt?.toISOString() ?? null,
    ContentDefinitionId: invitation.contentDefinitionId,
  };
}
