import type { ContentDefinition } from '@gatehouse/db';
import { NameOf, Nullable, Text, Type, Uuid } from '@gatehouse/schema';

export const Kind = NameOf(['LiveChannel', 'Recording', 'Document']);

/** Whom the content belongs to; null for nobody. */
const OwnerId = Nullable(Uuid(), {
  description: 'The account that can share it, besides administrators; null if none',
});

/** Content as Admin shows it. */
export const ContentAnswer = Type.Object(
  { Id: Uuid(), Name: Type.String(), Kind, OwnerId },
  { title: 'ContentDefinition' },
);

/** Of whom nobody counts more. */
export const COUNTED_MAX = 1000;

const count = (of: string) =>
  Type.Optional(
    Type.Integer({
      maximum: COUNTED_MAX + 1,
      description: `With \`members=true\`: number of ${of}; ${COUNTED_MAX + 1} if there are more than ${COUNTED_MAX}`,
    }),
  );

/** The same in a list, which counts members where that is asked for. */
export const ListedContentAnswer = Type.Object(
  {
    ...ContentAnswer.properties,
    AccessCount: count('accounts with access'),
    PendingCount: count('pending invitations'),
  },
  { title: 'ListedContentDefinition' },
);

/** Content as it is given to Admin. */
export const ContentBody = Type.Object({ Name: Text(200), Kind, OwnerId: Type.Optional(OwnerId) });

/** The path's parameter. */
export const ContentPath = Type.Object({ id: Uuid() });

export function contentAnswer(content: ContentDefinition) {
  return { Id: content.id, Name: content.name, Kind: content.kind, OwnerId: content.ownerId };
}
