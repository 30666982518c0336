import { actorOf, write, type WriteTransaction } from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import { FaceMatchType, newEvent } from '@gatehouse/events';
import type { Refuse, RequestFacts } from '@gatehouse/http';
import { createLimiter, QueueFull, Unavailable, type Limiter } from '@gatehouse/runtime';
import type { FaultCode, Problem } from '@gatehouse/schema';
import type { Deps } from '../../deps.ts';
import { noSuchPerson } from '../person.ts';
import { clearFaces } from '../purge.ts';
import { addToCounts, keepPersons } from '../store.ts';
import { decide, findMatches, lockFaces, withdraw } from './store.ts';
import type { Decision, Face, FaceMatch } from './store.ts';

export interface Decider {
  caller: Caller;
  request: RequestFacts;
  refuse: Refuse<'not_found' | 'conflict'>;
}

interface Reviewer extends Decider {
  pointerOf: (at: number) => string;
}

export type Review = Omit<Decision, 'previousType'>;

/** All of them, or none; each may be given only once. Returns them in their new state, in the given order. */
export async function reviewFaces(deps: Deps, personId: string, reviews: readonly Review[], by: Reviewer) {
  const faceIds = reviews.map(({ faceId }) => faceId);
  const confirmedIds = reviews.filter(confirms).map(({ faceId }) => faceId);
  return writeFaces(deps, by, async (tx) => {
    const others = otherPersonsOf(await findMatches(tx, confirmedIds), personId);
    const kept = new Set(
      (await keepPersons(tx, { ids: [personId, ...others], nameKeys: [] })).map(({ id }) => id),
    );
    if (!kept.has(personId)) throw noSuchPerson(by.refuse);
    await lockFaces(tx, faceIds);
    await clearFaces(tx, faceIds);
    const matches = await findMatches(tx, faceIds);
    refuseUnfit(reviews, matches, personId, by);
    const concerned = matches.filter(({ id }) => confirmedIds.includes(id));
    if (otherPersonsOf(concerned, personId).some((id) => !kept.has(id))) throw new RetryTransaction();
    const own = byFace(matches, personId);
    const decisions = reviews.map((review) => ({
      ...review,
      previousType: own.get(review.faceId)?.faceMatchType ?? null,
    }));
    const decided = byFace(await decideFaces(tx, personId, decisions, by), personId);
    return faceIds.flatMap((faceId) => decided.get(faceId) ?? []);
  });
}

function refuseUnfit(
  reviews: readonly Review[],
  matches: readonly FaceMatch[],
  personId: string,
  { refuse, pointerOf }: Reviewer,
): void {
  const faultsOf = (isFault: (review: Review) => boolean, message: string, code: FaultCode): Problem[] =>
    reviews.flatMap((review, at) => (isFault(review) ? [{ pointer: pointerOf(at), message, code }] : []));
  const own = byFace(matches, personId);
  const unknown = faultsOf(
    ({ faceId }) => !own.has(faceId),
    'is not a face of this person',
    'unknown_object',
  );
  if (unknown.length > 0)
    throw refuse('not_found', 'A face is not a face of this person', { errors: unknown });
  const elsewhere = new Set(
    matches.filter((match) => match.personId !== personId && isConfirmed(match)).map(({ id }) => id),
  );
  const taken = faultsOf(
    (review) => confirms(review) && elsewhere.has(review.faceId),
    'is confirmed for another person',
    'taken',
  );
  if (taken.length > 0) throw refuse('conflict', 'A face is confirmed for another person', { errors: taken });
}

function confirms({ type }: Review): boolean {
  return type === FaceMatchType.ConfirmedMatch;
}

function byFace<M extends FaceMatch>(matches: readonly M[], personId: string): Map<string, M> {
  return new Map(matches.flatMap((match) => (match.personId === personId ? [[match.id, match]] : [])));
}

/**
 * Writes decisions about locked faces of a person, with their events and audit entries. A face that is confirmed for
 * one person is no longer proposed to others; those persons must be locked, too (`otherPersonsOf`).
 */
export async function decideFaces(
  tx: WriteTransaction,
  personId: string,
  decisions: readonly Decision[],
  { caller, request }: Decider,
): Promise<Face[]> {
  const reviewer = actorOf(caller).id;
  const decided = await decide(tx, personId, decisions, reviewer);
  const confirmed = decisions.filter(confirms).map(({ faceId }) => faceId);
  const withdrawn = await withdraw(tx, confirmed, personId);
  for (const { faceId, previousType, type } of decisions) {
    const data = { PersonId: personId, FaceId: faceId, FaceMatchType: type, ReviewedBy: reviewer };
    tx.event(newEvent('face.reviewed', data, { traceId: request.traceId }));
    const details = { PersonId: personId, PreviousFaceMatchType: previousType, FaceMatchType: type };
    tx.audit('face.reviewed', details, { kind: 'Face', id: faceId });
  }
  tx.atEnd(() =>
    addToCounts(tx, [
      ...decisions.map(({ previousType, type }) => ({ personId, from: previousType ?? undefined, to: type })),
      ...withdrawn.map((match) => ({ personId: match.personId, from: match.faceMatchType })),
    ]),
  );
  return decided;
}

/** The other persons to whom these faces are proposed, or for whom they are confirmed; refusals do not count. */
export function otherPersonsOf(
  matches: readonly Pick<FaceMatch, 'personId' | 'faceMatchType'>[],
  personId: string,
): string[] {
  return matches
    .filter((match) => match.personId !== personId && isLive(match))
    .map((match) => match.personId);
}

export function isLive({ faceMatchType }: Pick<FaceMatch, 'faceMatchType'>): boolean {
  return faceMatchType !== FaceMatchType.NotMatch;
}

export function isConfirmed({ faceMatchType }: Pick<FaceMatch, 'faceMatchType'>): boolean {
  return faceMatchType === FaceMatchType.ConfirmedMatch;
}

/** Limits concurrent reviews, so that connections to Postgres remain for other requests. */
export function createFaceLimiter(): Limiter {
  return createLimiter({ width: 5, waitingMax: 1000, waitMs: 3000 });
}

/** The state with which the transaction began has changed: it is rolled back and run again. */
export class RetryTransaction extends Error {
  override name = 'RetryTransaction';
}

const ATTEMPTS_MAX = 5;

/**
 * Makes a change of faces as soon as the limiter allows, and again whenever it throws `RetryTransaction`: locks are taken
 * in a fixed order, so if `work` finds that an earlier lock is missing, it has to start again.
 *
 * @throws {Unavailable} if it waited too long, or after a few attempts.
 */
export async function writeFaces<T>(
  deps: Deps,
  { caller, request }: Pick<Decider, 'caller' | 'request'>,
  work: (tx: WriteTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await deps.faceLimiter(async () => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        try {
          return await write(deps, { actor: actorOf(caller), origin: request }, work);
        } catch (error) {
          if (!(error instanceof RetryTransaction)) throw error;
        }
      }
      throw new Unavailable('postgres');
    });
  } catch (error) {
    throw error instanceof QueueFull ? new Unavailable('postgres', { cause: error }) : error;
  }
}
