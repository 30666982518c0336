import { faces, outbox, persons, type Face, type Transaction } from '@gatehouse/db';
import { FaceMatchType, newEvent } from '@gatehouse/events';

/** Whether a face is still proposed to somebody, or confirmed. */
export function isLive({ type }: { type: FaceMatchType }): boolean {
  return type !== FaceMatchType.NotMatch;
}

/**
 * Keeps a locked face for a person whom the rules gave it to; returns it. Ends with the counts, as the last of its
 * transaction.
 */
export async function keepMatch(
  tx: Transaction,
  match: { faceId: string; personId: string; type: FaceMatchType; similarity: number },
  traceId?: string,
): Promise<Face | undefined> {
  const { faceId, personId, type } = match;
  await faces.insertMatch(tx, match);
  const data = { PersonId: personId, FaceId: faceId, FaceMatchType: type };
  await outbox.add(tx, [newEvent('face.matched', data, { traceId })]);
  const [face] = await faces.findOfPerson(tx, personId, [faceId]);
  await persons.addToCounts(tx, [{ personId, to: type }]);
  return face;
}
