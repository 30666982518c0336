import type { Passkey } from '@gatehouse/db';
import { Nullable, Text, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';

export const PasskeyName = Text(64, { description: 'The name that its owner gave it' });

const FIELDS = {
  Id: Uuid(),
  Name: Type.String(),
  IsBackedUp: Type.Boolean({ description: 'Whether it is synchronized to other devices of its owner' }),
  CreatedAt: Timestamp(),
  LastUsedAt: Nullable(Timestamp(), { description: 'null if it was never used' }),
};

/** A passkey as its owner sees it. */
export const PasskeyAnswer = Type.Object(FIELDS, { title: 'Passkey' });

/** The response after a passkey was added. */
export const NewPasskeyAnswer = Type.Object(
  {
    ...FIELDS,
    RecoveryCodes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Present if the account must have a second factor and this passkey is the first one. Each code can be ' +
          'used once. Shown only in this response.',
      }),
    ),
  },
  { title: 'NewPasskey' },
);

export function passkeyAnswer(passkey: Passkey): Static<typeof PasskeyAnswer> {
  return {
    Id: passkey.id,
    Name: passkey.name,
    IsBackedUp: passkey.isBackedUp,
    CreatedAt: passkey.createdAt.toISOString(),
    LastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
  };
}
