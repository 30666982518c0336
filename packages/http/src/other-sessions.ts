import type { Replacement } from '@gatehouse/auth-core';
import { Optional, Timestamp, Type, type Static } from '@gatehouse/schema';

/** What the owner of a replaced session may see of the login that replaced it; the IP address is not included. */
export const ReplacedBy = Type.Object(
  {
    DeviceName: Optional.String(),
    UserAgent: Optional.String(),
    At: Timestamp(),
    Tag: Optional.String({ description: 'The tag of the session, if it has one' }),
  },
  { title: 'ReplacedBy', description: 'The login that replaced the session, if it is known' },
);
export type ReplacedBy = Static<typeof ReplacedBy>;

export function replacedByOf(replacement: Replacement | undefined): ReplacedBy | undefined {
  if (replacement === undefined) return undefined;
  const { deviceName, userAgent, at, tag } = replacement;
  return {
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    ...(userAgent !== undefined && { UserAgent: userAgent }),
    At: at.toISOString(),
    ...(tag !== undefined && { Tag: tag }),
  };
}

/** A session that takes a slot, as its owner may see it before the login is complete. */
export const ActiveSession = Type.Object(
  {
    DeviceName: Optional.String(),
    UserAgent: Optional.String(),
    LastSeenAt: Timestamp(),
  },
  { title: 'ActiveSession' },
);
export type ActiveSession = Static<typeof ActiveSession>;
