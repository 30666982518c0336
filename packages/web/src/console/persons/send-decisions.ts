import type { Problem } from '../../ui/api/api.ts';
import type { CallApi } from '../api/call-api.ts';
import type { FaceType } from './face-types.ts';

/** A reviewer's decision about a face, with its previous type. */
export interface Decision {
  faceId: string;
  former: FaceType;
  type: FaceType;
}

/** Why decisions were refused, and because of which faces. `isGone`: these no longer belong to the person. */
interface Refusal {
  problem: Problem;
  faceIds: ReadonlySet<string>;
  isGone: boolean;
}

/** The maximum number of decisions per request of the API. */
const MAX = 500;

/** Sends the decisions part by part until one is refused, and calls `onSent` after each part that was saved. */
export async function sendDecisions(
  callApi: CallApi,
  personId: string,
  { decisions, onSent }: { decisions: readonly Decision[]; onSent: (part: readonly Decision[]) => void },
): Promise<Refusal | undefined> {
  for (let from = 0; from < decisions.length; from += MAX) {
    const part = decisions.slice(from, from + MAX);
    const Items = part.map(({ faceId, type }) => ({ FaceId: faceId, FaceMatchType: type }));
    const result = await callApi('PUT /person/{id}/face', { path: { id: personId }, body: { Items } });
    if (!result.ok) {
      const faceIds = new Set(namedBy(result.problem, part));
      return {
        problem: result.problem,
        faceIds,
        isGone: result.problem.status === 404 && faceIds.size > 0,
      };
    }
    onSent(part);
  }
  return undefined;
}

/** The faces that an API error points to, for example with `/Items/3/FaceId`. */
function namedBy({ errors }: Problem, decisions: readonly Decision[]): string[] {
  return errors.flatMap(({ pointer }) => {
    const at = /^\/Items\/(\d{1,3})\b/.exec(pointer)?.[1];
    return decisions[Number(at)]?.faceId ?? [];
  });
}
