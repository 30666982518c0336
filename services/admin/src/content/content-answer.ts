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

/** Content as it is given to Admin. */
export const ContentBody = Type.Object({ Name: Text(200), Kind, OwnerId: Type.Optional(OwnerId) });

/** The path's parameter. */
export const ContentPath = Type.Object({ id: Uuid() });

export function contentAnswer(content: ContentDefinition) {
  return { Id: content.id, Name: content.name, Kind: content.kind, OwnerId: content.ownerId };
}
