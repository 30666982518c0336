import { faces, outbox, persons, type Face, type Transaction } from '@gatehouse/db';
import { FaceMatchType, newEvent } from '@gatehouse/events';

/** Whether a face is proposed to a person or confirmed, that is, not refused. */
export function isLive({ type }: { type: FaceMatchType }): boolean {
  return type !== FaceMatchType.NotMatch;
}

/**
 * Stores that the rules matched a locked face to a person; returns the face. It updates the counts at its end, so it
 * must be the last statement of its transaction.
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
