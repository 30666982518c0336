import { usesSecondFactor } from '@gatehouse/accounts';
import type { BrowserSession } from '@gatehouse/auth-core';
import { accounts, userSessions } from '@gatehouse/db';
import { Enum, Locale, Nullable, ROLES, Type, Uuid, type Static } from '@gatehouse/schema';
import type { Deps } from '../deps.ts';

/** The administrator who is signed in to the console, and until when. */
export const ConsoleSession = Type.Object(
  {
    Account: Type.Object(
      {
        Id: Uuid(),
        Email: Type.String(),
        DisplayName: Nullable(Type.String()),
        Locale: Locale(),
        Role: Enum(ROLES),
        IsTwoFactorEnabled: Type.Boolean(),
        HasPassword: Type.Boolean(),
        ConfirmsWithCode: Type.Boolean({
          description:
            'Whether `POST /console/session/confirm` requires a second factor instead of the password',
        }),
      },
      { title: 'ConsoleAccount' },
    ),
    SessionId: Uuid(),
    ExpiresAt: Type.String({ format: 'date-time', description: 'When the session ends at the latest' }),
    IdleSeconds: Type.Integer({ description: 'Its lifetime without a ping' }),
  },
  { title: 'ConsoleSession' },
);

/** A session in the console's responses; `undefined` if it has ended. */
export async function consoleSessionOf(
  { db, settings }: Deps,
  { accountId, sessionId, endsAt = Infinity }: BrowserSession,
): Promise<Static<typeof ConsoleSession> | undefined> {
  const [account, [state]] = await Promise.all([
    accounts.findById(db, accountId),
    userSessions.findStates(db, [sessionId]),
  ]);
  if (account === undefined || state === undefined) return undefined;
  return {
    Account: {
      Id: account.id,
      Email: account.email,
      DisplayName: account.displayName,
      Locale: account.locale,
      Role: account.role,
      IsTwoFactorEnabled: account.isTwoFactorEnabled,
      HasPassword: account.passwordScheme !== null,
      ConfirmsWithCode: usesSecondFactor(account),
    },
    SessionId: sessionId,
    ExpiresAt: new Date(Math.min(state.expiresAt, endsAt) * 1000).toISOString(),
    IdleSeconds: settings.SESSION_IDLE_SECONDS,
  };
}
