import { reviewFaces } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { faceAnswer, FaceAnswer, reviewFields } from './face-answer.ts';
import { PERSON_ACCESS, PersonPath } from '../person-answer.ts';
import { reviewRefusal } from './review-refusal.ts';

export const putFace = route({
  method: 'put',
  path: '/person/:id/face/:faceId',
  operationId: 'reviewFace',
  tag: 'Faces',
  summary: 'Review a face',
  description:
    'Records the decision with its reviewer, time and reason. Later reports do not change it. A confirmed face ' +
    'is no longer proposed for other persons; confirming a face that is confirmed for another person fails with ' +
    '`conflict`.',
  access: PERSON_ACCESS,
  params: Type.Object({ ...PersonPath.properties, faceId: Uuid() }),
  body: Type.Object(reviewFields),
  response: FaceAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const review = {
      faceId: params.faceId,
      type: body.FaceMatchType,
      reason: body.Reason ?? null,
    };
    const reviewed = await reviewFaces(deps, params.id, [review], { caller, origin: request });
    if (reviewed.kind !== 'reviewed') throw reviewRefusal(refuse, reviewed, () => '/path/faceId');
    const [face] = reviewed.faces;
    if (face === undefined) throw new Error('a face was reviewed and is not there');
    return faceAnswer(face);
  },
});
