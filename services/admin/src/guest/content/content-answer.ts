import type { ContentDefinition } from '@gatehouse/db';
import { NameOf, Nullable, Text, Type, Uuid } from '@gatehouse/schema';

export const Kind = NameOf(['LiveChannel', 'Recording', 'Document']);

/** The owner of the content, or null. */
const OwnerId = Nullable(Uuid(), {
  description: 'The account that can share it, in addition to administrators; null if none',
});

/** Content in Admin's responses. */
export const ContentAnswer = Type.Object(
  { Id: Uuid(), Name: Type.String(), Kind, OwnerId },
  { title: 'ContentDefinition' },
);

/** The maximum that is counted. */
export const COUNTED_MAX = 1000;

const count = (of: string) =>
  Type.Optional(
    Type.Integer({
      maximum: COUNTED_MAX + 1,
      description: `With \`members=true\`: number of ${of}; ${COUNTED_MAX + 1} if there are more than ${COUNTED_MAX}`,
    }),
  );

/** Content in a list, with the number of members on request. */
export const ListedContentAnswer = Type.Object(
  {
    ...ContentAnswer.properties,
    AccessCount: count('accounts with access'),
    PendingCount: count('pending invitations'),
  },
  { title: 'ListedContentDefinition' },
);

/** Content in requests. */
export const ContentBody = Type.Object({ Name: Text(200), Kind, OwnerId: Type.Optional(OwnerId) });

/** The parameters of the path. */
export const ContentPath = Type.Object({ id: Uuid() });

export function contentAnswer(content: ContentDefinition) {
  return { Id: content.id, Name: content.name, Kind: content.kind, OwnerId: content.ownerId };
}
