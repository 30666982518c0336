import type { Caller } from '@gatehouse/auth-core';
import type { EventPosition, SessionChange } from '@gatehouse/db';
import { createPaging } from '@gatehouse/http';
import { Integers, SessionStatus, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';

/** 64-bit numbers of Postgres, which JSON numbers cannot represent. */
const Digits = Type.String({ pattern: /^[0-9]{1,19}$/.source });
const paging = createPaging(Type.Object({ Transaction: Digits, Sequence: Digits }));

/** A change of a session's status, for services that verify tokens themselves; administrators also get the user. */
export const SessionChangeItem = Type.Object(
  {
    SessionId: Type.String({
      format: 'uuid',
      description: 'The session, or an application’s part of one (`client_session`)',
    }),
    UserId: Type.Optional(Uuid()),
    Status: Integers(SessionStatus, 'SessionStatus'),
    TokenExpiresAt: Type.String({
      format: 'date-time',
      description: 'Latest expiry of access tokens issued for the session before the change',
    }),
    ChangedAt: Timestamp(),
  },
  { title: 'SessionChange' },
);

export function itemOf(
  change: SessionChange,
  { role }: Pick<Caller, 'role'>,
): Static<typeof SessionChangeItem> {
  return {
    SessionId: change.sessionId,
    ...(role === 'Admin' && { UserId: change.accountId }),
    // The table's check constraint allows only these numbers.
    Status: change.status as SessionStatus,
    TokenExpiresAt: change.tokenExpiresAt.toISOString(),
    ChangedAt: change.changedAt.toISOString(),
  };
}

/** @throws {ApiError} 400 for anything that is not a cursor. */
export function readPosition(cursor: string | undefined): EventPosition | undefined {
  const key = paging.read(cursor);
  return key && { xact: key.Transaction, seq: key.Sequence };
}

export function cursorOf({ xact, seq }: EventPosition): string {
  return paging.cursor({ Transaction: xact, Sequence: seq });
}
