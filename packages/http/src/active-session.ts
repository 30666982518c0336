import { Timestamp, Type, type Static } from '@gatehouse/schema';

/** A session that takes a slot, as its owner may see it before the login is complete. */
export const ActiveSession = Type.Object(
  {
    DeviceName: Type.Optional(Type.String()),
    UserAgent: Type.Optional(Type.String()),
    LastSeenAt: Timestamp(),
  },
  { title: 'ActiveSession' },
);
export type ActiveSession = Static<typeof ActiveSession>;
