import { reviewFaces, type Review } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { type Problem, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { faceAnswer, FaceAnswer, reviewFields } from './face-answer.ts';
import { PERSON_ACCESS, PersonPath } from '../person-answer.ts';
import { reviewRefusal } from './review-refusal.ts';

export const putFaces = route({
  method: 'put',
  path: '/person/:id/face',
  operationId: 'reviewFaces',
  tag: 'Faces',
  summary: 'Review up to 500 faces in one transaction',
  access: PERSON_ACCESS,
  params: PersonPath,
  body: Type.Object({
    Items: Type.Array(Type.Object({ FaceId: Uuid(), ...reviewFields }, { title: 'FaceReview' }), {
      minItems: 1,
      maxItems: 500,
    }),
  }),
  response: Type.Object({ Items: Type.Array(FaceAnswer) }),
  errors: ['not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const reviews = body.Items.map((item) => ({
      faceId: item.FaceId,
      type: item.FaceMatchType,
      reason: item.Reason ?? null,
    }));
    refuseRepeats(reviews);
    const reviewed = await reviewFaces(deps, params.id, reviews, { caller, origin: request });
    if (reviewed.kind !== 'reviewed') throw reviewRefusal(refuse, reviewed, pointerOf);
    return { Items: reviewed.faces.map(faceAnswer) };
  },
});

/** Two decisions about one face in one call either contradict each other, or one is redundant. */
function refuseRepeats(reviews: readonly Review[]): void {
  const seen = new Set<string>();
  const errors = reviews.flatMap(({ faceId }, at): Problem[] => {
    if (seen.has(faceId))
      return [{ pointer: pointerOf(at), message: 'must not be repeated', code: 'does_not_go_with' }];
    seen.add(faceId);
    return [];
  });
  if (errors.length > 0) throw invalidRequest(undefined, { errors });
}

function pointerOf(at: number): string {
  return `/Items/${at}/FaceId`;
}
