import type { Caller } from '@gatehouse/auth-core';
import { audit, faces, outbox, persons, type FaceMatch, type Transaction } from '@gatehouse/db';
import { FaceMatchType, newEvent } from '@gatehouse/events';
import { actorOf } from '../actor.ts';
import type { Origin } from '../deps.ts';

/** Who decides about faces, and the request. */
export interface Decider {
  caller: Caller;
  origin: Origin;
}

/** A decision about a face of a person; without a previous type if the face had no relation to the person. */
export interface Decision {
  faceId: string;
  previousType: FaceMatchType | null;
  type: FaceMatchType;
  reason: string | null;
}

/**
 * Writes decisions about locked faces of a person, with their events and audit entries. A face that is confirmed for
 * one person is no longer proposed to others; those persons must be locked, too (`otherPersonsOf`). It updates the
 * counts at its end, so it must be the last statement of its transaction.
 */
export async function decideFaces(
  tx: Transaction,
  personId: string,
  decisions: readonly Decision[],
  { caller, origin }: Decider,
): Promise<faces.Face[]> {
  const actor = actorOf(caller);
  const reviewer = caller.kind === 'session' ? caller.accountId : caller.tokenId;
  const decided = await faces.decide(tx, personId, decisions, reviewer);
  const confirmed = decisions.filter(({ type }) => type === FaceMatchType.ConfirmedMatch);
  const withdrawn = await faces.withdraw(
    tx,
    confirmed.map(({ faceId }) => faceId),
    personId,
  );
  await outbox.add(
    tx,
    decisions.map(({ faceId, type }) => {
      const data = { PersonId: personId, FaceId: faceId, FaceMatchType: type, ReviewedBy: reviewer };
      return newEvent('face.reviewed', data, { traceId: origin.traceId });
    }),
  );
  await audit.append(
    tx,
    decisions.map(({ faceId, previousType, type }) => ({
      action: 'face.reviewed' as const,
      actor,
      target: { kind: 'Face' as const, id: faceId },
      details: { PersonId: personId, PreviousFaceMatchType: previousType, FaceMatchType: type },
    })),
    origin,
  );
  await persons.addToCounts(tx, [
    ...decisions.map(({ previousType, type }) => ({ personId, from: previousType ?? undefined, to: type })),
    ...withdrawn.map((match) => ({ personId: match.personId, from: match.type })),
  ]);
  return decided;
}

/** The other persons to whom these faces are proposed, or for whom they are confirmed; refusals do not count. */
export function otherPersonsOf(matches: readonly FaceMatch[], personId: string): string[] {
  return matches
    .filter((match) => match.personId !== personId && match.type !== FaceMatchType.NotMatch)
    .map((match) => match.personId);
}
